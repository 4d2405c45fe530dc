import Enforcement
import Foundation
import HTTPClient
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
        try lenders.ask(cancellation) { caller, peer, key, address in
            let reply = try ask(piece, caller, peer, key, at: address)
            chosen = (caller, peer, key, address)
            // One that refuses said so itself, and is asked again as before: its link may be back.
            return (reply, reply.trouble == nil)
        }
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
