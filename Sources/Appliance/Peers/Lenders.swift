import Enforcement
import HTTPClient
import MachineClock
import PeerLink
import Storage
import Synchronization

/// Those that may lend this box their way, as they are now.
final class Lenders: Sendable {
    let store: Store
    private let otherPost: String

    private struct State {
        var asked: Peer?
        /// The key of the one whose way led to the server last.
        var good: String?
        /// The keys of those whose way led nowhere since.
        var failed = Set<String>()
    }

    private let state = Mutex(State())

    init(otherPost: String, store: Store) { (self.otherPost, self.store) = (otherPost, store) }

    /// The code of the one that was asked last.
    var last: String? { state.withLock { $0.asked.map { LogText.of($0.code, limit: 64) } } }

    func asks(_ peer: Peer) { state.withLock { $0.asked = peer } }

    /// What became of the request that went through the one that was asked last. One that answers, and leads to no server, must not stand
    /// before the others for ever.
    func note(hasWay: Bool) {
        state.withLock { state in
            guard let key = state.asked?.publicKey else { return }
            if hasWay {
                (state.good, state.failed) = (key, [])
            } else {
                if state.good == key { state.good = nil }
                state.failed.insert(key)
            }
        }
    }

    /// The other post and the hubs: the one whose way led to the server last, then those in the order of their pairing, and those that led
    /// nowhere at the end.
    func list() throws -> [Peer] {
        let all = try store.peers.active(of: otherPost).map { [$0] } ?? []
        let lenders = try all + store.peers.active(.hub)
        let known = state.withLock { $0 }
        func rank(_ peer: Peer) -> Int {
            peer.publicKey == known.good ? 0 : known.failed.contains(peer.publicKey) ? 2 : 1
        }
        return (0...2).flatMap { place in lenders.filter { rank($0) == place } }
    }

    /// Whether it is one still: it may have been taken back meanwhile, and gets nothing more.
    func isThere(_ peer: Peer) throws -> Bool { try store.peers.active(key: peer.publicKey)?.kind == peer.kind }

    /// Asks one after the other, each at the places where it may be, until one gives what is wanted.
    ///
    /// - Parameters:
    ///   - callers: keep a conversation from one question to the next.
    ///   - question: says what was answered, and whether that is it.
    /// - Returns: what is wanted, else the last one's refusal.
    func ask<Reply>(
        _ cancellation: HTTPCancellation, _ callers: LenderCallers = LenderCallers(),
        _ question: (PeerCaller, Peer, PeerKey, _ address: String) throws -> (reply: Reply, isWanted: Bool)
    ) throws -> Reply {
        var trouble: (any Error)?
        var refusal: Reply?
        for peer in try list() {
            guard let key = PeerKey(text: peer.publicKey) else { continue }
            asks(peer)
            let caller = callers.caller(of: key, as: try PeerKeeper(store).identity(), cancellation)
            // Where it spoke from last, and where somebody said that it is.
            places: for address in peer.addresses.reversed() {
                do {
                    let (reply, isWanted) = try question(caller, peer, key, address)
                    guard !isWanted else { return reply }
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
}

/// Conversations with lenders. One thread at a time uses them.
final class LenderCallers: @unchecked Sendable {
    private var known: [PeerKey: (own: PeerKey, caller: PeerCaller)] = [:]

    func caller(of key: PeerKey, as identity: PeerIdentity, _ cancellation: HTTPCancellation) -> PeerCaller {
        if let known = known[key], known.own == identity.publicKey { return known.caller }
        let caller = PeerCaller(as: identity, cancellation: cancellation) { MachineClock.uptime }
        known[key] = (identity.publicKey, caller)
        return caller
    }
}
