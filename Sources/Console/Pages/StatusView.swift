import Enforcement
import Foundation
import Pages
import Storage

/// How the box is, in a line of short words: it stands on every page.
struct StatusView: Encodable, Sendable {
    struct Chip: Encodable, Sendable {
        let name: String
        /// `good`, `warn`, `bad` or `plain`.
        let level: String
        let text: String

        /// Where it is told at length.
        var path: String?
    }

    let chips: [Chip]
    let reviewCount: Int
    let alertCount: Int

    /// The same for people.
    let reviewText: String
    let alertText: String

    /// - Parameter alarms: what is wrong, in the reader's language.
    init(
        _ status: ConsoleStatus, figures: StoreFigures, alarms: [AlarmView], alertCount: Int, _ texts: Texts,
        now: Instant
    ) {
        reviewCount = figures.waitingForReview
        self.alertCount = alertCount
        reviewText = texts.digits("\(reviewCount)")
        alertText = texts.digits("\(alertCount)")
        var chips = [Self.link(status, texts, now), Self.queue(figures, texts, now)]
        if status.hasModem || status.link == .sms && !status.givesTexts {
            // 31 is the most that a modem tells; 2 and less is hardly a connection.
            let bars = status.modemSignal.map { min(5, ($0 + 5) / 6) }
            chips.append(
                Chip(
                    name: "signal", level: bars.map { $0 > 1 ? "good" : "warn" } ?? "warn",
                    text: bars.map { texts("signal_bars", ["bars": "\($0)"]) } ?? texts["signal_unknown"]))
        } else {
            chips.append(Chip(name: "signal", level: "plain", text: texts["signal_none"]))
        }
        chips += Self.cameras(status, texts, now)
        let (level, text) =
            switch status.clockState {
            case .synchronised: ("good", "clock_ok")
            case .simulated: ("warn", "clock_demo")
            case .untrusted: ("bad", "clock_bad")
            }
        chips.append(
            Chip(name: "clock", level: level, text: texts[text] + " " + texts.minute(now)))
        // Cameras and the clock have chips of their own.
        for alarm in alarms where alarm.isCritical && !alarm.key.hasPrefix("camera.") && alarm.key != "clock" {
            chips.append(Chip(name: "alarm", level: "bad", text: alarm.message, path: "/alarms"))
        }
        if !alarms.isEmpty {
            let count = texts("alarm_count", ["count": "\(alarms.count)"])
            chips.append(Chip(name: "alarms", level: "warn", text: count, path: "/alarms"))
        }
        self.chips = chips
    }

    private static func link(_ status: ConsoleStatus, _ texts: Texts, _ now: Instant) -> Chip {
        let time = status.offlineSince.map { texts.short($0, now: now) }
        return switch status.link {
        case .online where status.goesThroughOtherPost == true:
            Chip(name: "link", level: "warn", text: texts["link_lent"])
        case .online: Chip(name: "link", level: "good", text: texts["link_online"])
        case .offline:
            Chip(
                name: "link", level: "warn",
                text: time.map { texts("link_offline", ["time": $0]) } ?? texts["link_offline_plain"])
        case .sms where status.givesTexts:
            Chip(name: "link", level: "warn", text: texts("link_kept", ["time": time ?? "?"]))
        case .sms: Chip(name: "link", level: "warn", text: texts("link_sms", ["time": time ?? "?"]))
        case .none: Chip(name: "link", level: "plain", text: texts["link_none"])
        }
    }

    static func queue(_ figures: StoreFigures, _ texts: Texts, _ now: Instant) -> Chip {
        let waiting = figures.queue.filter { $0.key != .synced }.values.reduce(0, +) - figures.refused
        guard waiting > 0 || figures.refused > 0 else {
            return Chip(name: "queue", level: "good", text: texts["queue_empty"])
        }
        var text = texts["queue"] + ": "
        if waiting > 0 {
            let age = figures.oldestWaiting.map { texts.span(now - $0) } ?? "?"
            text += texts("queue_waiting", ["count": "\(waiting)", "age": age])
        }
        if figures.refused > 0 {
            text += (waiting > 0 ? ", " : "") + texts("queue_refused", ["count": "\(figures.refused)"])
        }
        return Chip(name: "queue", level: figures.refused > 0 ? "warn" : "plain", text: text)
    }

    private static func cameras(_ status: ConsoleStatus, _ texts: Texts, _ now: Instant) -> [Chip] {
        guard !status.cameras.isEmpty else { return [Chip(name: "camera", level: "bad", text: texts["camera_none"])] }
        let down = status.cameras.filter { ["silent", "failed", "connecting", "unreadable"].contains($0.phase) }
        guard !down.isEmpty else {
            // A camera that sends when something moves may have sent nothing since the start.
            guard status.cameras.allSatisfy({ $0.lastFrameAt != nil }) else {
                return [Chip(name: "camera", level: "plain", text: texts["camera_waits"])]
            }
            return [Chip(name: "camera", level: "good", text: texts["camera_ok"])]
        }
        return down.map {
            let text = texts("camera_down", ["name": $0.name, "phase": texts["phase_" + $0.phase]])
            return Chip(name: "camera", level: $0.phase == "connecting" ? "warn" : "bad", text: text)
        }
    }
}

/// What happened today, in Nepal's day.
struct CountsView: Encodable, Sendable {
    let passages: Int
    let matched: Int
    let speeding: Int
    let overstay: Int
    let review: Int

    init(_ counts: SpanCounts, review: Int) {
        passages = counts.passages
        matched = counts.matched
        speeding = counts.speeding
        overstay = counts.overstay + counts.overstayAlerts
        self.review = review
    }

    /// For people.
    func texts(_ texts: Texts) -> [String: String] {
        [
            "passages": texts.digits("\(passages)"), "speeding": texts.digits("\(speeding)"),
            "overstay": texts.digits("\(overstay)"), "review": texts.digits("\(review)"),
        ]
    }
}
