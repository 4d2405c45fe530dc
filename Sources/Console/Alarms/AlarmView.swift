import Enforcement
import Foundation
import Pages
import Storage

/// Something that is wrong with the box, in the reader's language: what, what to do, and since when.
struct AlarmView: Encodable, Sendable {
    let key: String
    let severity: String
    let message: String
    let hint: String
    let since: String

    /// The alarm as the box tells it, where `message` says it shorter; in English.
    private(set) var detail: String?

    var isCritical: Bool { severity == Alarm.Severity.critical.rawValue }

    /// Alarms are written down in English. In Nepali what each kind means stands in a table, and its own words below it; one that has no
    /// line there is shown as it is.
    private init(
        key: String, _ severity: Alarm.Severity, _ message: String, hint: String, since: Instant, _ texts: Texts,
        now: Instant
    ) {
        self.key = key
        self.severity = severity.rawValue
        self.since = texts("since", ["time": texts.short(since, now: now)])
        let name = AlarmKey(key)
        guard texts.language == "ne", let line = Self.nepali[name.kind]?.split(separator: "|"), line.count == 2 else {
            self.message = message
            self.hint = hint
            return
        }
        func filled(_ text: Substring) -> String { String(text).replacing("{name}", with: name.name ?? "") }
        self.message = filled(line[0])
        self.hint = filled(line[1])
        detail = hint.isEmpty ? message : message + " " + hint
    }

    init(_ alarm: Alarm, _ texts: Texts, now: Instant) {
        self.init(
            key: alarm.key, alarm.severity, alarm.message, hint: alarm.hint ?? "", since: alarm.raisedAt, texts,
            now: now)
    }

    /// The database can't be written: it can't be an alarm on record.
    init(_ trouble: ConsoleStatus.Trouble, _ texts: Texts, now: Instant) {
        self.init(
            key: "database", .critical, trouble.message, hint: trouble.hint, since: trouble.since, texts, now: now)
    }

    /// What no part of the box raises as an alarm, and somebody has to see to.
    ///
    /// - Parameter name: of the texts `wrong_…` and `do_…`.
    init(_ name: String, _ values: [String: String], detail: String? = nil, _ texts: Texts) {
        key = name
        severity = Alarm.Severity.warning.rawValue
        message = texts("wrong_" + name, values)
        hint = texts("do_" + name, values)
        since = ""
        self.detail = detail
    }

    /// By kind: what is wrong, `|`, what to do.
    static let nepali: [String: String] =
        (try? JSONDecoder().decode([String: String].self, from: Data(PackageResources.alarms_ne_json))) ?? [:]
}

extension Console {
    /// What is wrong now, the worst first: alarms on record, and what has none.
    func alarmViews(_ status: ConsoleStatus, _ figures: StoreFigures, _ texts: Texts) -> [AlarmView] {
        let now = now
        return status.databaseTroubles.map { AlarmView($0, texts, now: now) }
            + figures.alarms.map { AlarmView($0, texts, now: now) }
    }

    /// Photos and messages that went nowhere, and a number that is missing.
    func unfinishedViews(_ status: ConsoleStatus, _ texts: Texts) throws -> [AlarmView] {
        var views: [AlarmView] = []
        if status.lacksGatewayNumber { views.append(AlarmView("gateway", [:], texts)) }
        let failed = try store.photos.counts()[.failed] ?? 0
        if failed > 0 {
            views.append(
                AlarmView("photos", ["count": "\(failed)"], detail: try store.photos.lastFailure(), texts))
        }
        let since = now - Self.messageAge
        let messages = try store.messages.list(limit: 100).filter { $0.state == .failed && $0.createdAt >= since }
        if let last = messages.first {
            views.append(AlarmView("messages", ["count": "\(messages.count)"], detail: last.reason, texts))
        }
        return views
    }

    /// A message that failed is told of for so long; its passage goes by the data link.
    private static let messageAge = TimeSpan.hours(24)
}
