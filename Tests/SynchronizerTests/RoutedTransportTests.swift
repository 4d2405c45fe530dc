import Enforcement
import Foundation
import ParkAPI
import Synchronization
import Testing
import TestKit

@testable import Synchronizer

/// Two real servers stand for the two ways: what answers on one tells which way a request took.
@Suite("Two ways to the server", .timeLimit(.minutes(5)))
final class RoutedTransportTests {
    private let request = SyncRequest(.get, "/rest/v1/checkposts")
    private let time = Mutex(Instant(milliseconds: 0))

    private func server(_ status: String, _ body: String) throws -> LoopbackServer {
        try LoopbackServer { connection, _ in connection.answer(status, body: Data(body.utf8)) }
    }

    private func closed() throws -> ServerTransport { ServerTransport(url: "http://127.0.0.1:\(try FreePort.next())") }

    private func routed(
        _ own: ServerTransport, _ peer: ServerTransport, _ told: Routes = Routes()
    ) -> RoutedTransport {
        RoutedTransport(own: own, peer: peer, uptime: { [self] in time.withLock { $0 } }) { told.add($0) }
    }

    private final class Routes: Sendable {
        let all = Mutex([RouteChoice.Route]())
        func add(_ route: RouteChoice.Route) { all.withLock { $0.append(route) } }
    }

    private func body(_ exchange: ServerExchange) -> String? {
        if case .answered(let answer) = exchange { return String(decoding: answer.body, as: UTF8.self) }
        return nil
    }

    @Test func `a request that finds no answer on the own link is made through the other post`() throws {
        let peer = try server("200 OK", "[\"peer\"]")
        let told = Routes()
        let transport = routed(try closed(), ServerTransport(url: peer.url()), told)
        #expect(body(transport.perform(request)) == "[\"peer\"]" && transport.isThroughPeer)
        #expect(body(transport.perform(request)) == "[\"peer\"]" && peer.requests.count == 2)
        #expect(told.all.withLock { $0 } == [.peer])
    }

    @Test func `the other post is left alone while the own link works, though the server is ill`() throws {
        let own = try server("503 Busy", "{}")
        let peer = try server("200 OK", "[]")
        let transport = routed(ServerTransport(url: own.url()), ServerTransport(url: peer.url()))
        #expect(body(transport.perform(request)) == "{}" && !transport.isThroughPeer && peer.requests.isEmpty)
    }

    @Test func `a captive portal is no link: the request goes through the other post`() throws {
        let portal = try server("200 OK", "<html>Welcome</html>")
        let peer = try server("200 OK", "[]")
        let transport = routed(ServerTransport(url: portal.url()), ServerTransport(url: peer.url()))
        #expect(body(transport.perform(request)) == "[]" && transport.isThroughPeer)
    }

    @Test func `the own link is taken again when it works`() throws {
        let proxied = try server("200 OK", "[\"own\"]")
        let link = try LoopbackProxy(to: proxied.port)
        link.cut()
        let peer = try server("200 OK", "[\"peer\"]")
        let told = Routes()
        let transport = routed(
            ServerTransport(url: "http://127.0.0.1:\(link.port)"), ServerTransport(url: peer.url()), told)
        #expect(body(transport.perform(request)) == "[\"peer\"]")
        try link.restore()
        #expect(body(transport.perform(request)) == "[\"peer\"]")
        time.withLock { $0 = Instant(milliseconds: 0) + .minutes(2) }
        #expect(body(transport.perform(request)) == "[\"own\"]" && !transport.isThroughPeer)
        #expect(told.all.withLock { $0 } == [.peer, .own])
        // A cable that is put in again is no matter of two minutes.
        link.cut()
        #expect(body(transport.perform(request)) == "[\"peer\"]")
        try link.restore()
        transport.networkChanged()
        #expect(body(transport.perform(request)) == "[\"own\"]")
    }

    @Test func `a picture goes over the own link alone, whatever comes of it`() throws {
        let own = try server("413 Too Large", "<html>proxy</html>")
        let peer = try server("200 OK", "[]")
        let transport = routed(ServerTransport(url: own.url()), ServerTransport(url: peer.url()))
        var picture = SyncRequest(.post, "/storage/v1/object/a", body: Data(count: 100))
        picture.mayGoThroughPeer = false
        #expect(body(transport.perform(picture)) == "<html>proxy</html>")
        #expect(!transport.isThroughPeer && peer.requests.isEmpty)
        // Another request finds the way that nobody has spoilt.
        #expect(body(transport.perform(request)) == "[]")
    }

    @Test func `where neither leads there, what is wrong with the own link is told`() throws {
        let port = try FreePort.next()
        let transport = routed(ServerTransport(url: "http://127.0.0.1:\(port)"), try closed())
        guard case .silent(let reason) = transport.perform(request) else {
            Issue.record("something answered")
            return
        }
        #expect(reason.contains("port \(port)") && !transport.isThroughPeer)
    }
}
