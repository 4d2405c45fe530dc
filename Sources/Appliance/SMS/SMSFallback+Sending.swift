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
            case .record(let id, let settlement): record(id, settlement)
            case .send(let id): send(id, with: [])
            case .sendTogether(let id, let companions): send(id, with: companions)
            case .alarm(let alarm): raise(alarm)
            case .clear(let kind): alarms.clear(Self.key(kind))
            }
        }
    }

    private func send(_ entry: Int64, with companions: [Int64]) {
        switch handOver(of: entry, with: companions) {
        case .begun(_, let text):
            sending = .passage(entry: entry)
            give(text, of: .passage(entry: entry))
        case .unwritable(_, let reason):
            log.warning("a passage can't be written as an SMS", metadata: ["reason": "\(reason)"])
            settle(entry, .unwritable(reason: reason, wasHandedOver: false))
        case .overtaken: settle(entry, .overtaken)
        case nil: settle(entry, .refused(SMSRefusal(.notWritten)))
        }
    }

    /// - Returns: nil when it is not on the disk.
    private func handOver(of entry: Int64, with companions: [Int64]) -> HandOver? {
        guard !isStopping, let target = target() else { return nil }
        let settings = settings
        let signing = store.textKey.read().map { TextSigning(key: $0, settings) }
        var handOver: HandOver?
        attempt("Writing down that an SMS is sent") {
            handOver = try store.messages.beginSending(
                entry: entry, with: companions, to: target.text, at: clock(), signing: signing
            ) { (passage: Passage) throws(SMSFormatError) in
                try SMSEncoder.encode(
                    SMSPassage(
                        checkpostCode: settings.checkpostCode, compactPlate: passage.plate.compact,
                        vehicleType: passage.vehicleType, recordedAt: passage.recordedAt,
                        rangerPhoneSuffix: settings.phoneSuffix))
            }
        }
        return handOver
    }

    func give(_ text: String, of what: Sending) {
        let target: TextTarget? =
            switch what {
            case .passage: self.target()
            case .other(let message): TextTarget(text: message.number)
            }
        sendTask = Task {
            guard let target else { return settled(what, .init(id: 0, result: .refused(.notReady))) }
            let sent = await modem.send(to: target, text: text)
            settled(what, sent)
        }
    }

    private func settled(_ what: Sending, _ sent: ModemDriver.Sent) {
        sending = nil
        switch what {
        case .passage(let entry): settled(entry, sent)
        case .other(let message): settled(message, sent.result)
        }
    }

    private func settled(_ entry: Int64, _ sent: ModemDriver.Sent) {
        switch sent.result {
        case .accepted(let references):
            log.notice("\(modem.words.accepted)", metadata: ["entry": "\(entry)"])
            settle(entry, .accepted(references: references))
        case .refused(let failure):
            let refusal = modem.refusal(failure)
            log.warning("an SMS was refused", metadata: ["entry": "\(entry)", "reason": "\(refusal.reason)"])
            settle(entry, .refused(refusal))
        case .unsendable(let error):
            settle(entry, .unwritable(reason: error.description, wasHandedOver: true))
        case .ambiguous:
            log.warning("\(modem.words.silent)", metadata: ["entry": "\(entry)"])
            settle(entry, .wentSilent(text: sent.id))
        }
    }

    private func settle(_ entry: Int64, _ result: EscalationPolicy.TextResult) {
        perform(policy.handle(.settled(id: entry, result), at: clock()))
    }

    /// Writes down what became of a message, or keeps it until the database takes it.
    private func record(_ entry: Int64, _ settlement: MessageSettlement) {
        unwritten.append((entry, settlement, clock()))
        _ = writeUnwritten()
    }

    /// - Returns: whether everything is on the disk.
    func writeUnwritten() -> Bool {
        while let first = unwritten.first {
            guard
                attempt(
                    "Writing down what became of an SMS",
                    { try store.messages.settle(entry: first.entry, first.settlement, at: first.at) })
            else { return false }
            unwritten.removeFirst()
            takeEarlyReports(of: first.settlement.references)
        }
        return true
    }
}

extension TextSigning {
    init(key: TextKey, _ settings: SMSFallback.Settings) {
        self.init(lastNumber: key.lastTextNumber) { (passages, number) throws(SMSFormatError) in
            try SignedSMSEncoder.encode(
                SignedSMS(
                    checkpostCode: settings.checkpostCode, number: number, rangerPhoneSuffix: settings.phoneSuffix,
                    entries: passages.map { SignedSMS.Entry($0) }), key: key)
        }
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
