import Dispatch
import Enforcement
import Foundation
import HTTPClient
import Modem
import PeerLink
import Storage
import Synchronization

/// For a post without a modem: its signed texts go to a box that it is paired with, over the direct link, and that one hands them to the
/// server as soon as it has a link. The record itself stays here until the server has it.
final class PairedBoxTexts: TextModem {
    private let lenders: Lenders
    private let cancellation = HTTPCancellation()
    private let count = Atomic<UInt64>(0)

    private static let wait = TimeSpan.seconds(5)

    init(otherPost: String, store: Store) { lenders = Lenders(otherPost: otherPost, store: store) }

    /// Only what is signed is handed on: anybody else's would be as good.
    var obstacle: String? {
        guard lenders.store.textKey.read() != nil else {
            return "no modem is configured, and the server has given this post no key for signed texts yet"
        }
        guard (try? lenders.list().isEmpty) == false else {
            return "no modem is configured, and this box is paired with none that could keep texts"
        }
        return nil
    }

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
            DispatchQueue.global().async { continuation.resume(returning: .init(id: id, result: self.give(text))) }
        }
    }

    private func give(_ text: String) -> SendResult {
        do {
            return try lenders.ask(cancellation) { caller, peer, key, address in
                func ask(_ question: TextQuestion) throws -> TextReply {
                    guard try lenders.isThere(peer) else { return .none("this box is paired with it no more") }
                    let answer = try caller.ask(
                        JSONEncoder().encode(PeerAsk(text: question)), of: key, at: address, wait: Self.wait)
                    return try JSONDecoder().decode(TextReply.self, from: answer)
                }
                // Of one that doesn't answer this nothing has gone out.
                guard try ask(TextQuestion()).trouble == nil else { return (.refused(.notReady), false) }
                guard let reply = try? ask(TextQuestion(text: text)) else { return (.ambiguous, true) }
                return reply.isKept ? (.accepted(references: []), true) : (.refused(.notReady), false)
            }
        } catch {
            return .refused(.noAnswer)
        }
    }
}
