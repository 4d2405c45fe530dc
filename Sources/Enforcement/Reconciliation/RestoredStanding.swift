import Foundation

/// What stands here when a passage of this post comes back from the server: the disk is new, or another client recorded it.
package struct RestoredStanding: Sendable, Equatable {
    /// Whether a passage here has one of its ids, as its own, as that of its SMS, or as its row at the server.
    package var isKnown: Bool

    /// The passage on record that it is once more: a picture was recorded again before it came back.
    package var twin: OwnStanding?

    /// The id of the text that the twin went as, or may have.
    package var twinText: UUID?

    package init(isKnown: Bool = false, twin: OwnStanding? = nil, twinText: UUID? = nil) {
        self.isKnown = isKnown
        self.twin = twin
        self.twinText = twinText
    }

    /// What is here already stays as it is. A twin that is not at the server yet takes over the server's ids and is not sent, unless it went as
    /// a text that the server's row knows nothing of: what is sent names it, or the text would be a second vehicle.
    ///
    /// Where the plates differ, one of the two was corrected: a twin that was only read once more takes over the server's plate, and what a
    /// ranger made of it here is a correction that the server is still told.
    ///
    /// A twin that was withdrawn before it was sent is what a text told of it, where it came from a backup that is older than the text: the
    /// server is told of the withdrawal, or the text's row would stand for a vehicle that there was none of.
    package func handle(_ restored: RestoredPassage) -> [ReconciliationAction] {
        guard !isKnown else { return [] }
        guard let twin, let entry = twin.entries.first(where: { $0.entity == .passage }) else {
            return [.putOnRecord(restored)]
        }
        if restored.isTextAlone, twin.force == .withdrawn, twin.serverID == nil {
            return withdrawn(twin, entry, restored)
        }
        guard isUnsent(twin, entry) else { return [.putOnRecord(restored)] }
        let plate = restored.passage.plate
        var read = twin
        let corrected =
            twin.plate.compact == plate.compact || twin.lastCorrection != nil
            ? [] : read.change(to: plate, reason: OwnStanding.correctedThere, by: Amendment.warden, isServers: true)
        var known = twinText != nil && twinText != restored.smsClientID ? entry.inLineAgain() : entry.settled()
        known.passageClientID = restored.passage.clientID
        let taken = corrected + [.takeIDs(of: restored, passage: twin.clientID), .write(known)]
        return restored.photoPath == nil ? taken : taken + [.markPhotoUploaded(passage: restored.passage.clientID)]
    }

    /// The twin as the server's row, with its withdrawal in line.
    private func withdrawn(
        _ twin: OwnStanding, _ entry: QueueEntry, _ restored: RestoredPassage
    ) -> [ReconciliationAction] {
        // Where it was never sent the withdrawal went nowhere either.
        let told = twin.entries.filter { $0.entity == .correction && $0.subjectID == twin.lastCorrection }
            .map { $0.status == .synced ? $0.inLineAgain() : $0 }
        return [.takeIDs(of: restored, passage: twin.clientID)]
            + ([entry.settled()] + told).map {
                var entry = $0
                entry.passageClientID = restored.passage.clientID
                return .write(entry)
            }
    }

    private func isUnsent(_ twin: OwnStanding, _ entry: QueueEntry) -> Bool {
        twin.force == .inForce && twin.serverID == nil && entry.status != .synced
    }
}
