import Enforcement
import Foundation
import Storage

/// SMS as `status` and `sms status` show it: what the running appliance says, and what is counted in the database.
package struct SMSFigures: Encodable {
    package let sms: SMSReport
    package let gatewayNumber: String?
    package let today: Int
    package let lastHour: Int
    package let hourlyLimit: Int
    package let lastDay: Int
    package let dailyLimit: Int
    package let messages: [String: Int]
    package let inbound: Int
    package let inboundToday: Int

    /// Passages that wait for the data link alone, since they were recorded on a clock that isn't trusted.
    package let heldBack: Int

    enum CodingKeys: String, CodingKey {
        case state, reason, modem, version
        case gatewayNumber = "gateway_number"
        case today
        case lastHour = "last_hour"
        case hourlyLimit = "hourly_limit"
        case lastDay = "last_day"
        case dailyLimit = "daily_limit"
        case messages, inbound
        case inboundToday = "inbound_today"
        case heldBack = "held_back_untrusted_clock"
    }

    /// - Parameter running: what the appliance said last; nil when none runs.
    package init(_ configuration: Configuration, running: StatusBoard.Report?, store: Store) throws {
        let report = running?.sms ?? SMSReport.off(configuration)
        try self.init(
            configuration, store: store,
            sms: report ?? SMSReport(state: .waiting, reason: "the appliance is not running"))
    }

    package init(_ configuration: Configuration, store: Store, sms: SMSReport) throws {
        self.sms = sms
        gatewayNumber = configuration.sms.gatewayNumber
        hourlyLimit = configuration.sms.hourlyLimit
        dailyLimit = configuration.sms.dailyLimit
        let now = BoxClock.now
        let counts = try store.messages.counts(midnight: CivilTime.nepalMidnight(before: now), at: now)
        today = counts.today
        lastHour = counts.lastHour
        lastDay = counts.lastDay
        messages = Dictionary(uniqueKeysWithValues: counts.byState.map { ($0.key.rawValue, $0.value) })
        inbound = counts.inbound
        inboundToday = counts.inboundToday
        heldBack = try store.messages.heldBack()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sms.state, forKey: .state)
        try container.encode(sms.reason, forKey: .reason)
        try container.encode(sms.modem, forKey: .modem)
        try container.encode(sms.version, forKey: .version)
        try container.encode(gatewayNumber, forKey: .gatewayNumber)
        for (key, value) in counts { try container.encode(value, forKey: key) }
        try container.encode(messages, forKey: .messages)
    }

    private var counts: [(CodingKeys, Int)] {
        [
            (.today, today), (.lastHour, lastHour), (.hourlyLimit, hourlyLimit), (.lastDay, lastDay),
            (.dailyLimit, dailyLimit), (.inbound, inbound), (.inboundToday, inboundToday),
            (.heldBack, heldBack),
        ]
    }

    /// One line.
    package var text: String {
        let open = ["queued", "sending", "ambiguous", "failed"]
            .compactMap { state in messages[state].flatMap { $0 > 0 ? "\($0) \(state)" : nil } }
        let rest = open.isEmpty ? "" : ", " + open.joined(separator: ", ")
        return sms.text + (sms.state == .off && today == 0 ? "" : "; today \(today)\(rest)")
    }
}

extension CivilTime {
    /// The last midnight in Nepal.
    static func nepalMidnight(before moment: Instant) -> Instant {
        let day = CivilTime(moment, offset: nepalOffset).dateText
        return CivilTime(day: day)?.instant(offset: nepalOffset) ?? moment
    }
}
