import Enforcement
import Foundation

/// What the supervisor says of all parts, in `run/supervisor.json`: written every second, and at once when something changes.
struct SupervisorNews: Codable {
    struct Alarm: Codable, Equatable {
        let key: String
        let isCritical: Bool
        let message: String
        let hint: String
    }

    struct Line: Codable {
        let name: String

        /// `starting`, `up`, `waiting` (for its next start), `ending`, `stopped`.
        let state: String
        let pid: Int32?
        let upSeconds: Double

        /// How often it ended without being asked.
        let ends: Int
        let reason: String?
        let residentBytes: Int?
        let alarm: Alarm?
    }

    let pid: Int32
    let version: String
    let startedAt: Instant
    let updatedAt: Instant
    let uptime: Instant
    let parts: [Line]

    static func read(in folder: RunFolder) -> SupervisorNews? {
        RunFolder.read(SupervisorNews.self, from: folder.supervisor)
    }

    var alarms: [Alarm] { parts.compactMap(\.alarm) }
}

extension SupervisorNews.Alarm {
    /// Alarms of parts have keys of their own, so that they are told from those that the parts raise.
    static let prefix = "part."

    init(_ alarm: PartAlarm) {
        self.init(
            key: Self.prefix + alarm.part.name, isCritical: alarm.isCritical, message: alarm.message,
            hint: alarm.part.hint)
    }
}
