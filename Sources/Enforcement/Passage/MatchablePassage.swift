import Foundation

/// What both posts know of a passage: what one tells the other, and what matching compares. It is this post's or the other's.
package struct MatchablePassage: Sendable, Equatable, Identifiable {
    package let clientID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var checkpostCode: String
    package var recordedAt: Instant
    package var clockState: ClockState

    /// The server's row of it, where the server has told of it; matching doesn't ask for it.
    package var serverID: UUID?

    /// The number under which the server last changed that row.
    package var serverSequence: Int64?

    /// It came by a text: its time has whole seconds, also after its upload.
    package var isOfText: Bool

    /// Which way it went; nil where that isn't known, as of a text.
    package var travel: Travel?

    package var id: UUID { clientID }

    /// By how much it may have come later than its time says. One of a text that was put right to the millisecond: not at all.
    package var timeSlack: TimeSpan {
        .milliseconds(isOfText && recordedAt.milliseconds.isMultiple(of: 1000) ? 999 : 0)
    }

    /// It came by a text alone whose time is trusted by nobody, perhaps a stranger's: no match before its upload. A text's row has an
    /// id that follows from the text (UUID version 5) until the upload brings its own.
    package var isUnprovenText: Bool { clockState == .untrusted && clientID.uuid.6 >> 4 == 5 }

    /// Whether a drive along the road may have begun with it, as far as its travel is known.
    package var mayBeEntry: Bool { travel != .leaving }

    /// Whether a drive along the road may have ended with it, as far as its travel is known.
    package var mayBeExit: Bool { travel != .entering }

    package init(
        clientID: UUID, serverID: UUID? = nil, plate: Plate, vehicleType: VehicleType, checkpostCode: String,
        recordedAt: Instant, clockState: ClockState, serverSequence: Int64? = nil, isOfText: Bool = false,
        travel: Travel? = nil
    ) {
        self.clientID = clientID
        self.serverID = serverID
        self.plate = plate
        self.vehicleType = vehicleType
        self.checkpostCode = checkpostCode
        self.recordedAt = recordedAt
        self.clockState = clockState
        self.serverSequence = serverSequence
        self.isOfText = isOfText
        self.travel = travel
    }

    package init(_ passage: Passage) {
        self.init(
            clientID: passage.clientID, plate: passage.plate, vehicleType: passage.vehicleType,
            checkpostCode: passage.checkpostCode, recordedAt: passage.recordedAt, clockState: passage.clockState,
            travel: passage.travel)
    }
}
