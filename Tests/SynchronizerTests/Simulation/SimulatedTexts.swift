import Enforcement
import Foundation
import ParkAPI
import Storage

/// The way by SMS from one post to the park: a modem that refuses, falls silent or takes the box's power with it, and a network that
/// brings a text late or twice.
final class SimulatedTexts {
    private static let number = "+9779800000001"

    private let park: ParkServer
    private let time: SimulatedTime
    private var chance: Chance
    private let code: String
    private var policy = EscalationPolicy()
    private var unwritten: [(entry: Int64, settlement: MessageSettlement)] = []
    private var onTheWay: [(moment: TimeSpan, text: String)] = []
    var cutPower: () -> Void = {}
    private(set) var sent = 0

    /// Who keeps its texts in place of a modem.
    var mailbox: SimulatedMailbox?

    /// What this post signs its texts with; nil: it sends them as V1. One of the two posts does.
    private let key: TextKey?

    init(_ code: String, _ park: ParkServer, _ time: SimulatedTime, _ chance: Chance) {
        self.code = code
        key =
            code == "BNP-A"
            ? TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 0) : nil
        self.park = park
        self.time = time
        self.chance = chance
    }

    /// Whether no text is under way any longer.
    var isQuiet: Bool { onTheWay.isEmpty }

    /// Begins anew, as after every start of the box.
    func start(_ store: Store, at now: Instant) throws {
        unwritten = []
        policy = EscalationPolicy()
        policy.settings.gathers = key != nil
        try store.messages.recover(at: now)
        perform(
            policy.handle(.started(sentAt: try store.messages.handOvers(since: now - .hours(24))), at: now), store,
            at: now)
        perform(policy.handle(.modem(ready: true), at: now), store, at: now)
    }

    /// Tells the policy how the link is and what waits, and does what it decides.
    func turn(_ store: Store, offlineSince: Instant?, at now: Instant) throws {
        deliver()
        guard write(store, at: now) else { return }
        if let offlineSince {
            perform(policy.handle(.linkDown(since: offlineSince), at: now), store, at: now)
        } else {
            perform(policy.handle(.linkUp, at: now), store, at: now)
        }
        perform(policy.handle(.waiting(try store.messages.waiting()), at: now), store, at: now)
    }

    func deliver() {
        let due = onTheWay.filter { $0.moment <= time.passed }
        onTheWay.removeAll { $0.moment <= time.passed }
        for (_, text) in due { park.take(text: text) }
    }

    private func perform(_ actions: [EscalationPolicy.Action], _ store: Store, at now: Instant) {
        for action in actions {
            switch action {
            case .record(let entry, let settlement):
                unwritten.append((entry, settlement))
                _ = write(store, at: now)
            case .send(let entry): send(entry, with: [], store, at: now)
            case .sendTogether(let entry, let companions): send(entry, with: companions, store, at: now)
            case .alarm, .clear: break
            }
        }
    }

    private func send(_ entry: Int64, with companions: [Int64], _ store: Store, at now: Instant) {
        let result = hand(over: entry, with: companions, store, at: now)
        perform(policy.handle(.settled(id: entry, result), at: now), store, at: now)
    }

    private func begin(
        _ entry: Int64, with companions: [Int64], _ store: Store, at now: Instant
    ) throws -> HandOver {
        let code = code
        let signing = key.map { key in
            TextSigning(lastNumber: 0) { (passages, number) throws(SMSFormatError) in
                try SignedSMSEncoder.encode(
                    SignedSMS(
                        checkpostCode: code, number: number, rangerPhoneSuffix: SMSPassage.missingPhoneSuffix,
                        entries: passages.map { SignedSMS.Entry($0) }), key: key)
            }
        }
        return try store.messages.beginSending(
            entry: entry, with: companions, to: Self.number, at: now, signing: signing
        ) { (passage: Passage) throws(SMSFormatError) in
            try SMSEncoder.encode(
                SMSPassage(
                    checkpostCode: code, compactPlate: passage.plate.compact, vehicleType: passage.vehicleType,
                    recordedAt: passage.recordedAt, rangerPhoneSuffix: SMSPassage.missingPhoneSuffix))
        }
    }

    private func hand(
        over entry: Int64, with companions: [Int64], _ store: Store, at now: Instant
    ) -> EscalationPolicy.TextResult {
        switch try? begin(entry, with: companions, store, at: now) {
        case .begun(_, let text):
            sent += 1
            return result(of: text)
        case .unwritable(_, let reason): return .unwritable(reason: reason, wasHandedOver: false)
        case .overtaken: return .overtaken
        case nil: return .refused(SMSRefusal(.notWritten))
        }
    }

    private func result(of text: String) -> EscalationPolicy.TextResult {
        if let mailbox { return mailbox.take(text) }
        let fate = Int.random(in: 0..<20, using: &chance)
        if fate != 0, fate != 1 { bring(text) }
        if fate == 2 { bring(text) }
        switch fate {
        case 0: return .refused(SMSRefusal(.message(38)))
        case 1, 3: return .wentSilent(text: UInt64(sent))
        case 4:
            cutPower()
            return .wentSilent(text: UInt64(sent))
        default: return .accepted()
        }
    }

    private func bring(_ text: String) {
        let way: TimeSpan = chance.happens(0.1) ? chance.span(60...3000) : chance.span(2...30)
        onTheWay.append((time.passed.adding(way), text))
    }

    /// - Returns: whether the disk has everything.
    private func write(_ store: Store, at now: Instant) -> Bool {
        while let first = unwritten.first {
            do { try store.messages.settle(entry: first.entry, first.settlement, at: now) } catch { return false }
            unwritten.removeFirst()
        }
        return true
    }
}
