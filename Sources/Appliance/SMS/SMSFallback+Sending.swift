import Enforcement
import Foundation
import Logging
import Modem
import ParkAPI
import Storage

/// Performs what the policy decides: hands texts over and writes down what became of them.
extension SMSFallback {
    func perform(_ actions: [EscalationPolicy.Action]) {
        for action in actions {
            switch action {
            case .record(let id, .sending, _): prepare(id)
            case .record(let id, let state, let lostAnswers): record(id, state, lostAnswers)
            case .send(let id): send(id)
            case .alarm(let alarm): raise(alarm)
            case .clear(let kind): alarms.clear(Self.key(kind))
            }
        }
    }

    private func prepare(_ entry: Int64) {
        prepared = nil
        guard !isStopping, let number = gatewayNumber() else { return }
        let settings = settings
        attempt("Writing down that an SMS is sent") {
            let handOver = try store.beginSending(entry: entry, to: number.description, at: clock()) {
                (passage: Passage) throws(SMSFormatError) in
                try SMSEncoder.encode(
                    SMSPassage(
                        checkpostCode: settings.checkpostCode, compactPlate: passage.plate.compact,
                        vehicleType: passage.vehicleType, recordedAt: passage.recordedAt,
                        rangerPhoneSuffix: settings.phoneSuffix))
            }
            prepared = (entry, handOver)
        }
    }

    private func send(_ entry: Int64) {
        let handOver = prepared?.entry == entry ? prepared?.handOver : nil
        prepared = nil
        switch handOver {
        case .begun(let message, let text):
            messages[entry] = message
            sending = .passage(entry: entry)
            give(text, of: .passage(entry: entry))
        case .unwritable(let message, let reason):
            messages[entry] = message
            log.warning("a passage can't be written as an SMS", metadata: ["reason": "\(reason)"])
            settle(entry, .unwritable, reason: reason)
        case .overtaken: settle(entry, .overtaken)
        case nil: settle(entry, .refused(SMSRefusal(.notWritten)))
        }
    }

    func give(_ text: String, of what: Sending) {
        let target: PhoneNumber? =
            switch what {
            case .passage: gatewayNumber()
            case .test(let message): PhoneNumber(message.number)
            }
        sendTask = Task {
            guard let target else { return settled(what, .init(id: 0, outcome: .refused(.notReady))) }
            let sent = await modem.send(to: target, text: text)
            settled(what, sent)
        }
    }

    private func settled(_ what: Sending, _ sent: ModemDriver.Sent) {
        sending = nil
        switch what {
        case .passage(let entry): settled(entry, sent)
        case .test(let message): settled(message, sent.outcome)
        }
    }

    private func settled(_ entry: Int64, _ sent: ModemDriver.Sent) {
        switch sent.outcome {
        case .accepted(let references):
            log.notice("SMS sent", metadata: ["entry": "\(entry)"])
            settle(entry, .accepted, references: references)
        case .refused(let failure):
            let refusal = SMSRefusal(failure)
            log.warning("an SMS was refused", metadata: ["entry": "\(entry)", "reason": "\(refusal.reason)"])
            settle(entry, .refused(refusal), reason: refusal.reason, takesBack: !refusal.rule.isCharged)
        case .unsendable(let error): settle(entry, .unwritable, reason: error.description, takesBack: true)
        case .ambiguous:
            lost = (sent.id, entry)
            log.warning("the modem fell silent over an SMS", metadata: ["entry": "\(entry)"])
            settle(entry, .wentSilent, reason: "the modem had the text and did not answer")
        }
    }

    func settle(
        _ entry: Int64, _ outcome: EscalationPolicy.Outcome, reason: String? = nil, references: [UInt8] = [],
        takesBack: Bool = false
    ) {
        details = Details(reason: reason, references: references, takesBack: takesBack)
        let actions = policy.handle(.settled(id: entry, outcome), at: clock())
        perform(actions)
    }

    /// Writes down what became of a message, or keeps it until the database takes it.
    private func record(_ entry: Int64, _ state: MessageState, _ lostAnswers: Int) {
        let details = details
        self.details = Details()
        guard let message = messages[entry] else { return }
        if state.isFinished { messages[entry] = nil }
        unwritten.append(
            (
                message,
                MessageSettlement(
                    state: state, lostAnswers: lostAnswers, reason: details.reason, references: details.references,
                    takesBack: details.takesBack), clock()
            ))
        if writeUnwritten(), !details.references.isEmpty { takeEarlyReports(of: details.references) }
    }

    /// - Returns: the message of an entry, if the policy said nothing of it and none is under way.
    func finishLate(_ entry: Int64) -> Int64? {
        sending == nil ? messages.removeValue(forKey: entry) : nil
    }

    /// - Returns: whether everything is on the disk.
    func writeUnwritten() -> Bool {
        while let first = unwritten.first {
            guard
                attempt(
                    "Writing down what became of an SMS",
                    { try store.settle(message: first.message, first.settlement, at: first.at) })
            else { return false }
            unwritten.removeFirst()
        }
        return true
    }
}

extension SMSRefusal {
    /// What the table says about what a modem said.
    init(_ failure: SendFailure) {
        let cause: Cause =
            switch failure {
            case .network(let code): .message(code)
            case .equipment(let code): .modem(code)
            case .error: .modem(nil)
            case .noAnswer: .silence
            case .notReady, .driverStopped: .notReady
            case .needsPDUMode: .needsPDUMode
            }
        self.init(cause)
    }
}
