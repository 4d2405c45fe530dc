import Foundation

/// One step by which what stands here comes to agree with what the server says.
///
/// The shell performs the steps in order, in the transaction in which it read what it asked about. Each names its row: nothing is left to
/// choose.
package enum ReconciliationAction: Sendable, Equatable {
    // MARK: A passage of this post

    /// It stands at the server, and nothing of it waits to be sent.
    case putOnRecord(RestoredPassage)
    /// A passage that is here takes over the ids of its own row at the server.
    case takeIDs(of: RestoredPassage, passage: UUID)
    case setServerID(UUID, passage: UUID)
    case setServerMatch(UUID?, passage: UUID)
    /// It counts as one that the server has never had.
    case forgetServerRow(passage: UUID)
    case setPlate(Plate, passage: UUID)
    case withdrawPassage(UUID)
    case markDeletedThere(passage: UUID)
    case putInForce(passage: UUID)
    /// Keeps a change on record. The server is told of it when it doesn't have it already.
    case note(Amendment, passage: UUID, isToldToServer: Bool)

    // MARK: Its photo

    /// Its photo, if there is one, is uploaded as if it had never been.
    case uploadPhoto(passage: UUID)
    /// The server has lost a photo that it was given.
    case uploadPhotoAgain(passage: UUID)
    case dropPhotoUpload(passage: UUID)
    case markPhotoUploaded(passage: UUID)

    // MARK: The queue

    case write(QueueEntry)

    // MARK: A passage of the other post

    case writeRemote(MatchablePassage, isMatched: Bool, isInForceAgain: Bool)
    /// The row at the server has another `clientID` now.
    case renameRemote(UUID, to: UUID)
    /// The same, and a passage with that id is here already: what hangs on the old one moves over.
    case mergeRemote(UUID, into: UUID)
    case withdrawRemote(UUID)
    /// Whether it is no candidate any longer.
    case setMatched(Bool, remote: UUID)

    // MARK: Findings

    case confirmMatch(Int64)
    /// The server has judged it no longer.
    case doubtMatch(Int64)
    case withdrawMatch(Int64)
    case recordViolation(Violation, own: UUID)
    /// It takes the server's figures. A match that is nil leaves the one that it has.
    case confirmViolation(Violation, serverID: UUID, own: UUID, match: Int64?)
    case doubtViolation(UUID)
    case withdrawViolation(UUID)
    /// It holds from now on. One that was sent from here, by an earlier disk, is on record as sent.
    case recordOutcome(Outcome, violation: UUID, isSent: Bool = false)

    // MARK: Overstay alerts, by the passage of this post that entered

    case raiseAlert(OverstayAlert)
    /// An exit is nil when it is the server that says so.
    case resolveAlert(entry: UUID, exit: UUID?, at: Instant)
    case reopenAlert(entry: UUID)
    case dismissAlert(entry: UUID, by: String?, reason: String, at: Instant)
    case withdrawAlert(entry: UUID)
}

/// A change of a passage of this post, with who made it and why; without a new plate it is withdrawn.
package struct Amendment: Sendable, Equatable {
    package var oldPlate: Plate
    package var newPlate: Plate?
    package var reason: String
    package var actor: String

    package init(oldPlate: Plate, newPlate: Plate?, reason: String, actor: String) {
        self.oldPlate = oldPlate
        self.newPlate = newPlate
        self.reason = reason
        self.actor = actor
    }

    /// Who changed something at the server, as far as this post knows.
    package static let warden = "the park's server"

    /// A person at this post who puts an entry of the queue in line again.
    package static let queueRetry = "queue retry"
}
