import Enforcement
import Modem
import ParkAPI
import Storage

/// What the modem tells.
extension SMSFallback {
    /// Reports that come before the answer they belong to, which some modems send that way round.
    private static let maximumEarlyReports = 32
    private static let earlyReportAge = TimeSpan.minutes(10)

    func take(_ event: ModemEvent) {
        switch event {
        case .health(let health): if health.stage == .ready { trouble = nil }
        case .report(let report): take(report)
        case .message(let message):
            log.info("an SMS from outside", metadata: ["from": "\(message.sender?.masked ?? "unknown")"])
            attempt("Writing down a message") {
                try store.messages.noteInbound(from: message.sender?.description, text: message.text, at: clock())
            }
            answer(message)
            // An operator writes under a name or a short number; what anybody else says of balances says nothing of this SIM's.
            if message.sender.map({ $0.digits.count <= Self.shortNumber }) ?? false { judgeBalance(message.text) }
        case .balance(let text):
            attempt("Writing down what the operator says") {
                try store.messages.noteInbound(from: nil, text: text, at: clock())
            }
            judgeBalance(text)
        case .powerCycleWanted: cyclePower()
        case .alarm(let alarm): alarms.raise(Self.key(alarm), Self.severity(alarm), alarm.description)
        case .cleared(let alarm): alarms.clear(Self.key(alarm))
        case .lateResult(let id, let result): takeLate(result, of: id)
        case .portTrouble(let reason):
            trouble = reason
            log.warning("modem", metadata: ["trouble": "\(reason)"])
        }
    }

    private static let shortNumber = 6
    static let balanceKey = "modem.balance"

    private func judgeBalance(_ text: String?) {
        guard settings.lowBalance > 0, let amount = text.flatMap(SIMBalance.amount) else { return }
        if amount < settings.lowBalance {
            alarms.raise(
                Self.balanceKey, .warning, "The SIM has \(String(format: "%.2f", amount)) left.",
                hint: "Top it up before the link is away: `checkpost sms status` shows what the operator said.")
        } else {
            alarms.clear(Self.balanceKey)
        }
    }

    /// Takes the modem's power away for some seconds. The modem is looked for again meanwhile, and found when it is back.
    private func cyclePower() {
        guard powerTask == nil else { return }
        let cycle = PowerCycle(command: settings.powerCycle)
        log.notice("the modem's power is taken away for some seconds")
        powerTask = Task {
            let failure = await cycle.run()
            powerTask = nil
            if let failure {
                alarms.raise(
                    Self.powerKey, .warning, "The modem's power could not be taken away: \(failure).",
                    hint: "Try the program of [modem] power_cycle by hand, as the user checkpost.")
            } else {
                alarms.clear(Self.powerKey)
            }
        }
    }

    static let powerKey = "modem.powerCycle"

    /// The answer came after the wait for it was over: the text went out, and is not sent again.
    private func takeLate(_ result: SendResult, of id: UInt64) {
        guard case .accepted(let references) = result else { return }
        log.notice("the modem's answer to an SMS came late")
        perform(policy.handle(.answeredLate(text: id, references: references), at: clock()))
    }

    private func take(_ report: DeliveryReport) {
        let now = clock()
        earlyReports.removeAll { now - $0.at > Self.earlyReportAge || now < $0.at }
        if !write(report, at: now), earlyReports.count < Self.maximumEarlyReports {
            earlyReports.append((report, now))
        }
    }

    /// Reports that came before the modem said what they are about.
    func takeEarlyReports(of references: [UInt8]) {
        let now = clock()
        let (fitting, others) = (
            earlyReports.filter { references.contains($0.report.reference) },
            earlyReports.filter { !references.contains($0.report.reference) }
        )
        earlyReports = others
        for early in fitting where now - early.at <= Self.earlyReportAge { _ = write(early.report, at: now) }
    }

    /// - Returns: whether a message was found that it is about, or it says nothing.
    private func write(_ report: DeliveryReport, at now: Instant) -> Bool {
        let event: MessageState.Event
        switch report.verdict {
        case .delivered: event = .reportedDelivered
        case .undeliverable: event = .reportedUndeliverable
        case .pending: return true
        }
        var isKnown = true
        attempt("Writing down a report of delivery") {
            let found = try store.messages.takeReport(
                reference: report.reference, status: report.status, event: event, at: now)
            isKnown = found != nil
            guard let found else { return }
            if found.state == .delivered {
                alarms.clear(Self.undeliveredKey)
            } else {
                alarms.raise(
                    Self.undeliveredKey, .warning,
                    "The network could not deliver an SMS (status \(report.status)); its passage waits for the link.",
                    hint: "Check the gateway's number, and whether its provider takes messages.")
            }
        }
        return isKnown
    }

    // MARK: Texts that are no passages

    /// Hands a technician's test to the modem, if one waits.
    ///
    /// - Returns: whether the modem has one now.
    func sendTest(at now: Instant) -> Bool {
        sendOther { try store.messages.beginTest(askedSince: now - .minutes(3), at: now) }
    }

    /// Hands a text to the modem that is no passage's.
    ///
    /// - Parameter begin: takes one that waits, if one does.
    /// - Returns: whether the modem has one now.
    func sendOther(_ begin: () throws -> StoredMessage?) -> Bool {
        guard modem.health.stage == .ready else { return false }
        var message: StoredMessage?
        attempt("Looking for texts that are no passages") { message = try begin() }
        guard let message else { return false }
        sending = .other(message)
        give(message.text, of: .other(message))
        return true
    }

    /// What became of it. An accepted one shows that what held the messages up is mended.
    func settled(_ message: StoredMessage, _ result: SendResult) {
        let settlement = MessageSettlement(result)
        attempt("Writing down what became of a text") {
            try store.messages.settle(message: message.id, settlement, at: clock())
        }
        guard settlement.state == .sent else { return }
        takeEarlyReports(of: settlement.references)
        perform(policy.handle(.resumed, at: clock()))
    }

    // MARK: Alarms

    static let undeliveredKey = "sms.undelivered"
    static func key(_ alarm: ModemAlarm) -> String { "modem.\(alarm.rawValue)" }
    static func key(_ kind: EscalationPolicy.Alarm.Kind) -> String { "sms.\(kind.rawValue)" }

    func raise(_ alarm: EscalationPolicy.Alarm) {
        switch alarm {
        case .budgetLow(let sent, let limit):
            alarms.raise(
                Self.key(.budgetLow), .warning, "\(sent) of \(limit) SMS of a day are spent.",
                hint: "See that the SIM has credit, and why the data link is away.")
        case .budgetSpent(let until):
            alarms.raise(
                Self.key(.budgetSpent), .critical, "The SMS budget is spent until \(until.nepalText).",
                hint: "Then the newest passages go first; the others wait for the data link. "
                    + "Raise [sms] hourly_limit or daily_limit.")
        case .refused(let reason, let needsPerson):
            let next =
                needsPerson
                ? "It is tried again every hour, and at once after a test that goes out" : "It is tried again"
            alarms.raise(
                Self.key(.refused), needsPerson ? .critical : .warning,
                "\(modem.words.refused): \(modem.trouble ?? reason).",
                hint: modem.words.refusedHint ?? "\(next): checkpost sms test NUMBER. Passages wait meanwhile.")
        }
    }

    /// Without a SIM, or with one that only a person can unlock, the fallback is gone for good.
    private static func severity(_ alarm: ModemAlarm) -> Alarm.Severity {
        switch alarm {
        case .noSIM, .simFailure, .pinNeeded, .pinRejected, .pinUncertain, .pukNeeded, .phoneLocked, .unsuitable,
            .registrationDenied, .roaming, .noServiceCentre:
            .critical
        case .portMissing, .portUnusable, .noPortAnswers, .restarting, .unresponsive, .notRegistered, .pinMemoryFailed:
            .warning
        }
    }

    /// What an earlier run found wrong with its modem says nothing about this one.
    func forgetOldAlarms() { Self.forgetAlarms(alarms) }

    static func forgetAlarms(_ alarms: AlarmBoard) {
        let keys =
            ModemAlarm.allCases.map { key($0) } + EscalationPolicy.Alarm.Kind.allCases.map { key($0) }
            + [undeliveredKey, powerKey, "sms.stopped"]  // Earlier versions raised the last one.
        for key in keys { alarms.clear(key) }
    }

    // MARK: State

    /// How it is now.
    var report: SMSReport {
        let health = modem.health
        let way = modem.words.way
        let shown =
            way == nil ? SMSReport.Modem(device: settings.device, health: health, trouble: trouble) : nil
        func report(_ state: SMSReport.State, _ reason: String? = nil) -> SMSReport {
            SMSReport(
                state: state, reason: reason, modem: shown,
                version: state == .off ? nil : store.textKey.read() == nil ? SMSEncoder.version : SignedSMS.version)
        }
        if let obstacle = modem.obstacle { return report(.off, obstacle) }
        if target() == nil { return report(.off, "no gateway number is configured ([sms] gateway_number)") }
        if let reason = policy.refusedReason { return report(.refused, reason) }
        if health.stage != .ready { return report(.waiting, shown?.waitingFor) }
        if let since = policy.offlineSince, clock() - since >= settings.policy.outageBeforeSMS {
            if let trouble = modem.trouble { return report(.waiting, trouble) }
            return report(.active, way)
        }
        return report(.ready, way)
    }
}

extension SMSReport.Modem {
    /// Why it isn't ready.
    package var waitingFor: String {
        if let alarm = alarms.first { return alarm }
        if let trouble { return trouble }
        switch stage {
        case "searching": return "the modem looks for a network"
        case "waitingForSIM": return "the modem waits for its SIM"
        default: return "the modem is being started"
        }
    }
}

extension MessageSettlement {
    /// Of a text that no policy decides about.
    package init(_ result: SendResult) {
        switch result {
        case .accepted(let references): self.init(state: .sent, lostAnswers: 0, references: references)
        case .refused(let failure):
            let refusal = SMSRefusal(failure)
            self.init(state: .failed, lostAnswers: 0, reason: refusal.reason, takesBack: !refusal.rule.isCharged)
        case .unsendable(let error):
            self.init(state: .failed, lostAnswers: 0, reason: error.description, takesBack: true)
        case .ambiguous: self = .ambiguous(lostAnswers: 1)
        }
    }
}
