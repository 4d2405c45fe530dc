import Enforcement

/// How the trigger is, as its part says.
package struct TriggerReport: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// Its port can't be used: see the trouble.
        case closed
        /// Its port is open, and nothing has come yet.
        case waiting
        case connected
        /// Nothing has come for so long that it is an alarm.
        case silent
    }

    package var device: String
    package var state: State
    package var trouble: String?
    package var counts = TriggerCounts()
    package var lastFrameAt: Instant?

    /// When the last vehicle was there.
    package var lastEventAt: Instant?

    package init(device: String, state: State, trouble: String? = nil) {
        self.device = device
        self.state = state
        self.trouble = trouble
    }

    /// `loop or radar: connected, 412 vehicles, 3 duplicates, 0 lost, 0 without room, 2 damaged`.
    package var text: String {
        let told = [
            "\(Wording.count(counts.events, "vehicle"))", "\(Wording.count(counts.duplicates, "duplicate"))",
            "\(counts.lost) lost", "\(counts.overflow) without room in the device", "\(counts.damaged) damaged frames",
        ]
        let flood = counts.flooded > 0 ? ["\(counts.flooded) dropped, since it flooded"] : []
        return ([state.rawValue] + [trouble].compactMap(\.self) + told + flood).joined(separator: ", ")
            + (lastFrameAt.map { ", last heard \($0.nepalText)" } ?? "")
    }
}
