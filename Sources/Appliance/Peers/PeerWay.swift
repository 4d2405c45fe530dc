import Enforcement
import Foundation
import HTTPClient
import MachineClock
import PeerLink
import ParkAPI
import Storage
import Synchronization
import Synchronizer

/// The way to the server through another box: the other post, or a hub that this one is paired with. With TLS that box sees nothing of it:
/// the connection is one between this box and the server.
final class PeerWay: SyncTransport {
    private let server: Configuration.Server
    private let lenders: Lenders
    private let cancellation: HTTPCancellation
    private var way: (door: RelayDoor, transport: ServerTransport)?

    init(
        to server: Configuration.Server, otherPost: String, store: Store, _ cancellation: HTTPCancellation
    ) {
        (self.server, self.cancellation) = (server, cancellation)
        lenders = Lenders(otherPost: otherPost, store: store)
    }

    /// The code of the box that was asked last.
    var lender: String? { lenders.last }

    var isPossible: Bool { (try? lenders.list().isEmpty) == false }

    deinit { way?.door.close() }

    func perform(_ request: SyncRequest) -> ServerExchange {
        do {
            guard isPossible else { return .silent("this box is paired with no other one") }
            let way = try open()
            let exchange = way.transport.perform(request)
            switch exchange {
            case .answered(let answer) where answer.isWellFormed:
                lenders.note(hasWay: true)
                return exchange
            case .silent(let reason):
                lenders.note(hasWay: false)
                let words = LogText.of(way.door.trouble ?? reason, limit: 300)
                return .silent("through \(lenders.last ?? "another box"): \(words)")
            default:
                lenders.note(hasWay: false)
                return exchange
            }
        } catch {
            return .silent((error as? AdvisedError)?.message ?? "\(error)")
        }
    }

    private func open() throws -> (door: RelayDoor, transport: ServerTransport) {
        if let way, way.door.isThere { return way }
        way?.door.close()
        let folder = URL(fileURLWithPath: lenders.store.path).deletingLastPathComponent().path
        let door = try RelayDoor(in: RunFolder(dataFolder: folder).path) { [lenders, cancellation] in
            RelayAsker(lenders, cancellation).ask
        }
        let transport = ServerTransport(
            url: server.url, certificateFile: server.caFile, cancellation: cancellation, socket: door.path)
        way = (door, transport)
        return (door, transport)
    }
}

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
}

/// Asks for one connection. Where it begins, each box that may lend its way is tried, at each of the places where it may be: nothing of a
/// connection that has only begun is lost.
private final class RelayAsker {
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
