import Foundation

/// What stands here when a passage of this post comes back from the server: the disk is new, or another client recorded it.
package struct RestoredStanding: Sendable, Equatable {
    /// Whether a passage here has one of its ids, as its own, as that of its SMS, or as its row at the server.
    package var isKnown: Bool

    /// The passage on record that it is once more: a picture was recorded again before it came back.
    package var twin: OwnStanding?

    package init(isKnown: Bool = false, twin: OwnStanding? = nil) {
        self.isKnown = isKnown
        self.twin = twin
    }

    /// What is here already stays as it is. A twin that is not at the server yet takes over the server's ids and is not sent.
    package func handle(_ restored: RestoredPassage) -> [ReconciliationAction] {
        guard !isKnown else { return [] }
        guard let twin, let entry = twin.entries.first(where: { $0.entity == .passage }),
            isUnsent(twin, entry, as: restored)
        else { return [.putOnRecord(restored)] }
        var settled = entry.settled()
        settled.passageClientID = restored.passage.clientID
        let taken: [ReconciliationAction] = [.takeIDs(of: restored, passage: twin.clientID), .write(settled)]
        return restored.photoPath == nil ? taken : taken + [.markPhotoUploaded(passage: restored.passage.clientID)]
    }

    private func isUnsent(_ twin: OwnStanding, _ entry: QueueEntry, as restored: RestoredPassage) -> Bool {
        twin.force == .inForce && twin.serverID == nil && entry.status != .synced
            && twin.plate.compact == restored.passage.plate.compact
    }
}
