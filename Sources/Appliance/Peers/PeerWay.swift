import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Storage
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
