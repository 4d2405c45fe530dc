import Dispatch
import Enforcement
import Foundation
import HTTPClient
import Modem
import ParkAPI
import PeerLink
import Storage
import Synchronization

/// For a post without a modem: its signed texts go to a box that it is paired with, over the direct link, and that one hands them to the
/// server as soon as it has a link. The record itself stays here until the server has it.
final class PairedBoxTexts: TextCarrier {
    private let lenders: Lenders
    private let cancellation = HTTPCancellation()
    private let count = Atomic<UInt64>(0)
    private let lastTrouble = Mutex<String?>(nil)

    /// One text at a time: a conversation lasts from one to the next.
    private let callers = LenderCallers()
    private let queue = DispatchQueue(label: "checkpost.paired-box")

    private static let wait = TimeSpan.seconds(5)

    init(otherPost: String, store: Store) { lenders = Lenders(otherPost: otherPost, store: store) }

    /// Only what is signed is handed on: anybody else's would be as good.
    var obstacle: String? {
        guard lenders.store.textKey.read() != nil else {
            return "no modem is configured, and the server has given this post no key for signed texts yet"
        }
        guard (try? lenders.list().isEmpty) != true else {
            return "no modem is configured, and this box is paired with none that could keep texts"
        }
        return nil
    }

    /// Why the last text is kept by none; nil where it is kept.
    var trouble: String? { lastTrouble.withLock { $0 } }

    let words = TextWords.pairedBox
    func target(gateway: PhoneNumber?) -> TextTarget? { .pairedBox }
    func refusal(_ failure: SendFailure) -> SMSRefusal { SMSRefusal(.notKept) }

    var health: ModemHealth {
        var health = ModemHealth()
        health.stage = obstacle == nil ? .ready : .closed
        return health
    }

    func start() {}
    func stop() { cancellation.cancel() }

    func send(to target: TextTarget, text: String) async -> ModemDriver.Sent {
        let id = count.wrappingAdd(1, ordering: .relaxed).newValue
        guard target == .pairedBox else { return .init(id: id, result: .refused(.notReady)) }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: .init(id: id, result: self.give(text))) }
        }
    }

    private func give(_ text: String) -> SendResult {
        do {
            let (result, trouble) = try lenders.ask(cancellation, callers) { caller, peer, key, address in
                try give(text, caller, peer, key, at: address)
            }
            lastTrouble.withLock { $0 = trouble }
            return result
        } catch {
            lastTrouble.withLock {
                $0 = (error as? PeerFailure)?.description ?? (error as? AdvisedError)?.message ?? "\(error)"
            }
            return .refused(.noAnswer)
        }
    }

    private func give(
        _ text: String, _ caller: PeerCaller, _ peer: Peer, _ key: PeerKey, at address: String
    ) throws -> (reply: (SendResult, trouble: String?), isWanted: Bool) {
        func ask(_ question: TextQuestion) throws -> TextReply {
            guard try lenders.isThere(peer) else { return .none("this box is paired with it no more") }
            let answer = try caller.ask(
                JSONEncoder().encode(PeerAsk(text: question)), of: key, at: address, wait: Self.wait)
            return try JSONDecoder().decode(TextReply.self, from: answer)
        }
        func refusal(_ trouble: String?) -> ((SendResult, trouble: String?), Bool) {
            let words = "\(peer.code): \(trouble ?? "it keeps none")"
            return ((.refused(.notReady), LogText.of(words, limit: 300)), false)
        }
        // Of one that doesn't answer this nothing has gone out.
        let ready = try ask(TextQuestion())
        guard ready.trouble == nil else { return refusal(ready.trouble) }
        do {
            let reply = try ask(TextQuestion(text: text))
            guard reply.isKept else { return refusal(reply.trouble) }
            lenders.note(hasWay: true)
            return ((.accepted(references: []), nil), true)
        } catch {
            // One that says no has kept nothing; of one that says nothing nobody knows. Another one is asked first the next time.
            lenders.note(hasWay: false)
            if let failure = error as? PeerFailure, failure.refusal != nil { return refusal(failure.description) }
            return ((.ambiguous, "\(LogText.of(peer.code, limit: 64)) doesn't answer"), true)
        }
    }
}
