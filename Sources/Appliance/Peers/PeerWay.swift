import Enforcement
import Foundation
import HTTPClient
import MachineClock
import PeerLink
import ParkAPI
import Storage
import Synchronizer

/// The way to the server through the other post, as long as this one is paired with it. With TLS the other post sees nothing of it: the
/// connection is one between this box and the server.
final class PeerWay: SyncTransport {
    private let server: Configuration.Server
    private let otherPost: String
    private let store: Store
    private let cancellation: HTTPCancellation
    private var way: (door: RelayDoor, transport: ServerTransport)?

    init(
        to server: Configuration.Server, otherPost: String, store: Store, _ cancellation: HTTPCancellation
    ) {
        (self.server, self.otherPost, self.store, self.cancellation) = (server, otherPost, store, cancellation)
    }

    var isPossible: Bool { (try? store.peers.active(of: otherPost)) != nil }

    deinit { way?.door.close() }

    func perform(_ request: SyncRequest) -> ServerExchange {
        do {
            guard isPossible else { return .silent("this post is paired with no other one") }
            let way = try open()
            let exchange = way.transport.perform(request)
            guard case .silent(let reason) = exchange else { return exchange }
            return .silent("through \(otherPost): \(way.door.trouble ?? reason)")
        } catch {
            return .silent((error as? AdvisedError)?.message ?? "\(error)")
        }
    }

    private func open() throws -> (door: RelayDoor, transport: ServerTransport) {
        if let way, way.door.isThere { return way }
        way?.door.close()
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
        let door = try RelayDoor(in: RunFolder(dataFolder: folder).path) { [store, otherPost, cancellation] in
            try Self.ask(otherPost, store: store, cancellation)
        }
        let transport = ServerTransport(
            url: server.url, certificateFile: server.caFile, cancellation: cancellation, socket: door.path)
        way = (door, transport)
        return (door, transport)
    }

    /// Asks the other post as it is now: each of the places where it may be, in turn.
    private static func ask(
        _ otherPost: String, store: Store, _ cancellation: HTTPCancellation
    ) throws -> RelayDoor.Ask {
        guard let peer = try store.peers.active(of: otherPost), let key = PeerKey(text: peer.publicKey),
            let first = peer.seenAt ?? peer.address
        else { throw AdvisedError("nobody knows where \(otherPost) is", hint: "") }
        let caller = PeerCaller(as: try PeerKeeper(store).identity(), cancellation: cancellation) {
            MachineClock.uptime
        }
        var address = first
        return { piece in
            // It may have been taken back meanwhile: then it gets nothing more.
            guard try store.peers.active(of: otherPost)?.publicKey == peer.publicKey else {
                throw AdvisedError("this post is paired with it no more", hint: "")
            }
            let question = try JSONEncoder().encode(PeerAsk(relay: piece))
            let wait = TimeSpan.milliseconds(Int64(piece.waitMilliseconds))
            let answer: Data
            do throws(PeerFailure) {
                answer = try caller.ask(question, of: key, at: address, wait: wait)
            } catch {
                // Nothing of a connection that has only begun is lost.
                guard piece.isFirst, error.refusal == nil, let other = peer.addresses.first(where: { $0 != address })
                else { throw error }
                address = other
                answer = try caller.ask(question, of: key, at: address, wait: wait)
            }
            return try JSONDecoder().decode(RelayReply.self, from: answer)
        }
    }
}
