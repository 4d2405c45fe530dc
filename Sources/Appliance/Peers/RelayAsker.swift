import Enforcement
import Foundation
import HTTPClient
import MachineClock
import PeerLink
import Storage

/// Asks for one connection. Where it begins, each box that may lend its way is tried, at each of the places where it may be: nothing of a
/// connection that has only begun is lost.
final class RelayAsker {
    private let lenders: Lenders
    private let cancellation: HTTPCancellation
    private var chosen: (caller: PeerCaller, peer: Peer, key: PeerKey, address: String)?

    init(_ lenders: Lenders, _ cancellation: HTTPCancellation) {
        (self.lenders, self.cancellation) = (lenders, cancellation)
    }

    func ask(_ piece: RelayQuestion) throws -> RelayReply {
        if piece.isFirst { return try begin(with: piece) }
        guard let chosen else { throw AdvisedError("the connection was not begun", hint: "") }
        return try ask(piece, chosen.caller, chosen.peer, chosen.key, at: chosen.address)
    }

    private func begin(with piece: RelayQuestion) throws -> RelayReply {
        var trouble: (any Error)?
        var refusal: RelayReply?
        for peer in try lenders.list() {
            guard let key = PeerKey(text: peer.publicKey) else { continue }
            lenders.asks(peer)
            let caller = PeerCaller(
                as: try PeerKeeper(lenders.store).identity(), cancellation: cancellation
            ) { MachineClock.uptime }
            // Where it spoke from last, and where somebody said that it is.
            places: for address in peer.addresses.reversed() {
                do {
                    let reply = try ask(piece, caller, peer, key, at: address)
                    chosen = (caller, peer, key, address)
                    guard reply.trouble != nil else { return reply }
                    // It said so itself, and is asked again as before: its link may be back.
                    refusal = reply
                    break places
                } catch {
                    trouble = error
                    if (error as? PeerFailure)?.refusal != nil { break places }
                }
            }
        }
        if let refusal { return refusal }
        throw trouble ?? AdvisedError("nobody knows where another box is", hint: "")
    }

    private func ask(
        _ piece: RelayQuestion, _ caller: PeerCaller, _ peer: Peer, _ key: PeerKey, at address: String
    ) throws -> RelayReply {
        guard try lenders.isThere(peer) else {
            throw AdvisedError("this box is paired with \(LogText.of(peer.code, limit: 64)) no more", hint: "")
        }
        let answer = try caller.ask(
            JSONEncoder().encode(PeerAsk(relay: piece)), of: key, at: address,
            wait: .milliseconds(Int64(piece.waitMilliseconds)))
        return try JSONDecoder().decode(RelayReply.self, from: answer)
    }
}
