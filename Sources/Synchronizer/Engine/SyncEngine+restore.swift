import Enforcement
import Foundation
import Storage

/// A new disk knows nothing of what this post recorded: without it neither matching nor overstay would work for a day.
extension SyncEngine {
    /// Before the first push of a new disk: a picture that was recorded once more since must be known for what it is before it is
    /// sent. An answer that is of no use holds nothing up; the pull asks again.
    func restoreFirst() throws {
        guard !hasRestored, let own = place?.checkposts.first(where: { $0.code == server.checkpostCode })?.id,
            try store.cursor("pull_own_\(own.uuidString.lowercased())") == nil
        else { return }
        do {
            try pullOwnPassages(own: own.uuidString.lowercased())
            hasRestored = true
        } catch let end as CycleEnd {
            if link.isDown || tokens == nil { throw end }
        }
    }

    /// Of this post's rows those that are not here, as far back as matching looks. Older ones stay at the server.
    func restore(_ rows: [ServerRows.OwnPassage]) throws {
        let since = oldest
        let recent = rows.filter { ($0.recorded_at?.instant).map { $0 >= since } ?? false }
        let unknown = try store.unknownOwn(among: recent.map(\.client_id))
        let ids = recent.filter { unknown.contains($0.client_id) }.map(\.id)
        var columns = "id,client_id,plate_number,plate_number_raw,vehicle_type,recorded_at,photo_path"
        if isExtended != false { columns += ",sms_client_id,acted_by,confidence,clock_state" }
        try forEachRow(withID: ids, columns: columns) { (rows: [ServerRows.WholePassage]) in
            self.counts.pulled += try self.store.restore(rows.compactMap(self.restored))
        }
    }

    private func restored(_ row: ServerRows.WholePassage) -> RestoredPassage? {
        guard let plate = Plate(server: row.plate_number) else { return nil }
        let raw = row.plate_number_raw ?? ""
        let passage = Passage(
            clientID: row.client_id, plate: plate, plateRaw: raw.isEmpty ? plate.canonical : raw,
            vehicleType: VehicleType(rawValue: row.vehicle_type) ?? .other, checkpostCode: server.checkpostCode,
            recordedAt: row.recorded_at.instant,
            clockState: row.clock_state.flatMap(ClockState.init(rawValue:)) ?? .synchronised,
            confidence: row.confidence.flatMap { (0...1).contains($0) ? $0 : nil },
            origin: row.acted_by == nil ? .camera : row.confidence == nil ? .manual : .review, actedBy: row.acted_by)
        return RestoredPassage(
            passage: passage, serverID: row.id, smsClientID: row.sms_client_id, photoPath: row.photo_path)
    }
}
