import Enforcement
import Foundation
import Storage

/// Where the posts stand, what the limits are, and what the server has set for this device.
extension SyncEngine {
    func refreshReferenceIfDue() throws {
        guard place == nil || isExtended == nil || clock.uptime >= nextReference else { return }
        try askForColumns()
        try refreshPlaces()
        if isExtended == true { try refreshSettings() }
        nextReference = clock.uptime + settings.referenceInterval
    }

    /// A server with the published columns alone refuses to select the others.
    private func askForColumns() throws {
        guard isExtended == nil else { return }
        let (verdict, _) = try askForVerdict(
            SyncRequest(
                .get, "/rest/v1/vehicle_passages",
                query: [("select", "server_seq,sms_client_id,clock_state"), ("limit", "1")]))
        switch verdict {
        case .accepted: isExtended = true
        case .refused: isExtended = false
        default: throw CycleEnd("Asking for the server's columns: \(verdict.reason)")
        }
    }

    private func refreshPlaces() throws {
        let columns = "id,segment_id,code,name,position_index"
        let own = try ask(
            SyncRequest(
                .get, "/rest/v1/checkposts",
                query: [("code", "eq.\(server.checkpostCode)"), ("select", columns)])
        ).rows(ServerRows.Checkpost.self).first
        guard let own else {
            let reason = "The server knows no checkpost \(server.checkpostCode)."
            try perform(handle(.signInRefused(reason)))
            throw CycleEnd(reason)
        }
        let segmentID = own.segment_id.uuidString.lowercased()
        let row = try ask(
            SyncRequest(
                .get, "/rest/v1/highway_segments",
                query: [
                    // All columns: a server that knows no tolerance refuses to be asked for it.
                    ("id", "eq.\(segmentID)"), ("select", "*"),
                ])
        ).rows(ServerRows.Segment.self).first
        let posts = try ask(
            SyncRequest(
                .get, "/rest/v1/checkposts",
                query: [("segment_id", "eq.\(segmentID)"), ("select", columns), ("order", "position_index.asc")])
        ).rows(ServerRows.Checkpost.self)
        guard let row, posts.contains(where: { $0.id == own.id }) else {
            throw CycleEnd("The server does not tell the segment of \(server.checkpostCode).")
        }
        let (kmh, percent) = (row.tolerance_kmh ?? 0, row.tolerance_percent ?? 0)
        let problem = Segment.problem(
            distanceKm: row.distance_km, maxSpeedKmh: row.max_speed_kmh, minSpeedKmh: row.min_speed_kmh,
            toleranceKmh: kmh, tolerancePercent: percent)
        if let problem { throw CycleEnd("The server's segment makes no sense. \(problem)") }
        let segment = Segment(
            id: row.id, name: row.name, distanceKm: row.distance_km, maxSpeedKmh: row.max_speed_kmh,
            minSpeedKmh: row.min_speed_kmh, toleranceKmh: kmh, tolerancePercent: percent)
        knowsTolerance = row.tolerance_kmh != nil
        let checkposts = posts.map {
            Checkpost(id: $0.id, code: $0.code, name: $0.name, positionIndex: $0.position_index)
        }
        if place?.segment != segment || place?.checkposts != checkposts {
            try store.store(segment, checkposts: checkposts, at: clock.now)
            place = (segment, checkposts)
        }
    }

    /// Settings that the warden made for this post. They are stored; whoever reads the settings takes them from there.
    private func refreshSettings() throws {
        guard let own = place?.checkposts.first(where: { $0.code == server.checkpostCode })?.id else { return }
        let (verdict, answer) = try askForVerdict(
            SyncRequest(
                .get, "/rest/v1/device_settings",
                query: [("checkpost_id", "eq.\(own.uuidString.lowercased())"), ("select", "settings")]))
        // A server without this table has no settings for us, and those it gave before hold on.
        guard case .accepted = verdict, let rows = answer?.json as? [[String: Any]] else { return }
        let fields = rows.first?["settings"] as? [String: Any] ?? [:]
        var values: [String: String] = [:]
        for (key, value) in fields.prefix(200) where key.utf8.count <= 100 {
            let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            values[key] = String(decoding: data, as: UTF8.self)
        }
        guard values != lastServerSettings else { return }
        try store.replaceSettings(values, from: .server, at: clock.now)
        lastServerSettings = values
    }
}
