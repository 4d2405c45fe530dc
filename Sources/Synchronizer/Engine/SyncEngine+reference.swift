import Enforcement
import Foundation
import ParkAPI
import Storage

/// Where the posts stand, what the limits are, and what the server has set for this device.
extension SyncEngine {
    func refreshReferenceIfDue() throws {
        guard place == nil || dialect == nil || clock.uptime >= nextReference else { return }
        try chooseDialect()
        try refreshPlaces()
        if dialect?.schema == .ours { try refreshSettings() }
        nextReference = clock.uptime + settings.referenceInterval
    }

    /// A server with the published columns alone refuses to select the others.
    private func chooseDialect() throws {
        guard dialect == nil else { return }
        let (verdict, _) = try askForVerdict(.read(ServerDialect.question))
        switch verdict {
        case .accepted: dialect = .ours
        case .refused: dialect = .published
        default: throw CycleEnd("Asking for the server's columns: \(verdict.reason)")
        }
    }

    private func refreshPlaces() throws {
        let posts = RowQuery<CheckpostColumn>()
        let own = try rows(
            posts.whose(.code, .equals(server.checkpostCode)).telling(CheckpostRow.columns), CheckpostRow.self
        ).first
        guard let own else {
            let reason = "The server knows no checkpost \(server.checkpostCode)."
            try context.tellQueue(.signInRefused(reason))
            throw CycleEnd(reason)
        }
        let row = try rows(
            // All columns: a server that knows no tolerance refuses to be asked for it.
            RowQuery<SegmentColumn>().whose(.id, .equals(own.segment)).tellingAll(), SegmentRow.self
        ).first
        let ends = try rows(
            posts.whose(.segment, .equals(own.segment)).telling(CheckpostRow.columns).inOrder(of: [.positionIndex]),
            CheckpostRow.self)
        guard let row, ends.contains(where: { $0.id == own.id }) else {
            throw CycleEnd("The server does not tell the segment of \(server.checkpostCode).")
        }
        let (kmh, percent) = (row.toleranceKmh ?? 0, row.tolerancePercent ?? 0)
        let problem = Segment.problem(
            distanceKm: row.distanceKm, maxSpeedKmh: row.maxSpeedKmh, minSpeedKmh: row.minSpeedKmh,
            toleranceKmh: kmh, tolerancePercent: percent)
        if let problem { throw CycleEnd("The server's segment makes no sense. \(problem)") }
        let segment = Segment(
            id: row.id, name: row.name, distanceKm: row.distanceKm, maxSpeedKmh: row.maxSpeedKmh,
            minSpeedKmh: row.minSpeedKmh, toleranceKmh: kmh, tolerancePercent: percent)
        dialect?.learn(.tolerance, row.toleranceKmh != nil)
        let checkposts = ends.map(\.checkpost)
        try tellContradiction(with: checkposts)
        let place = Place(segment: segment, checkposts: checkposts)
        if self.place != place {
            try store.store(segment, checkposts: checkposts, at: clock.now)
            self.place = place
        }
    }

    /// What the file says of the road otherwise: it is told by `config check`, and here to whoever never asks it.
    private func tellContradiction(with road: [Checkpost]) throws {
        if let contradiction = server.configured?.contradiction(with: road) {
            try store.raiseAlarm(
                "sync.place", .warning, contradiction, hint: "`checkpost config check` looks at it again.",
                at: clock.now)
        } else {
            try store.clearAlarm("sync.place", at: clock.now)
        }
    }

    /// Settings that the warden made for this post. They are stored; whoever reads the settings takes them from there.
    private func refreshSettings() throws {
        guard let own = ownCheckpost else { return }
        let (verdict, answer) = try askForVerdict(
            .read(RowQuery<SettingsColumn>().whose(.checkpost, .equals(own)).telling([.settings])))
        // A server without this table has no settings for us, and those it gave before hold on.
        guard case .accepted = verdict, let rows = try? answer?.rows(SettingsRow.self) else { return }
        var values: [String: String] = [:]
        for (key, value) in (rows.first?.settings ?? [:]).prefix(200) where key.utf8.count <= 100 {
            values[key] = try value.text()
        }
        guard values != lastServerSettings else { return }
        try store.replaceSettings(values, from: .server, at: clock.now)
        lastServerSettings = values
    }
}
