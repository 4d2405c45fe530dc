import Enforcement
import Foundation
import ParkAPI
import Storage

/// A new disk knows nothing of what this post recorded: without it neither matching nor overstay would work for a day.
extension SyncEngine {
    /// Before the first push of a new disk: a picture that was recorded once more since must be known for what it is before it is
    /// sent. An answer that is of no use holds nothing up; the pull asks again.
    func restoreFirst() throws {
        guard !hasRestored, let own = ownCheckpost, try store.cursor("pull_own_\(own.sent)") == nil
        else { return }
        do {
            try pullOwnPassages(own: own)
            hasRestored = true
        } catch let end as CycleEnd {
            if link.isDown || tokens == nil { throw end }
        }
    }

    /// Of this post's rows those that are not here, as far back as matching looks. Older ones stay at the server.
    func restore(_ rows: [KnownPassageRow]) throws {
        let since = oldest
        let recent = rows.filter { $0.recordedAt.map { $0 >= since } ?? false }
        let unknown = try store.unknownOwn(among: recent.map(\.clientID))
        let ids = recent.filter { unknown.contains($0.clientID) }.map(\.id)
        try forEachRow(withID: ids, columns: chosenDialect.wholePassages) { rows in
            self.counts.pulled += try self.store.restore(rows.compactMap(self.restored))
        }
    }

    private func restored(_ row: PassageRow) -> RestoredPassage? {
        guard let plate = Plate(told: row.plate) else { return nil }
        let raw = row.plateRaw ?? ""
        let passage = Passage(
            clientID: row.clientID, plate: plate, plateRaw: raw.isEmpty ? plate.canonical : raw,
            vehicleType: row.vehicleType, checkpostCode: server.checkpostCode, recordedAt: row.recordedAt,
            clockState: row.clockState, confidence: row.confidence.flatMap { (0...1).contains($0) ? $0 : nil },
            origin: row.actedBy == nil ? .camera : row.confidence == nil ? .manual : .review, actedBy: row.actedBy)
        return RestoredPassage(
            passage: passage, serverID: row.id, smsClientID: row.smsClientID, photoPath: row.photoPath)
    }
}
