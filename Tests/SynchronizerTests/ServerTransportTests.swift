import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Testing
import TestKit

@testable import Synchronizer

@Suite("The way to the park's server", .timeLimit(.minutes(5)))
struct ServerTransportTests {
    private let request = SyncRequest(.get, "/rest/v1/checkposts", query: [("select", "id"), ("code", "eq.A&B")])

    private func silence(_ exchange: ServerExchange) -> String? {
        if case .silent(let reason) = exchange { return reason }
        return nil
    }

    @Test func `carries the keys, and brings what the server says of time`() throws {
        let server = try LoopbackServer { connection, _ in
            connection.answer(
                "503 Busy", ["Retry-After: 40", "Date: Mon, 23 Nov 2026 03:00:00 GMT"], body: Data("{}".utf8))
        }
        // With a slash at its end, as people write it.
        let transport = ServerTransport(url: server.url("/"))
        let expected = ServerAnswer(
            status: 503, retryAfter: "40", date: "Mon, 23 Nov 2026 03:00:00 GMT", body: Data("{}".utf8))
        #expect(transport.perform(request.authorised(apiKey: "key", token: "token")) == .answered(expected))
        #expect(transport.perform(request.authorised(apiKey: "key", token: nil)) == .answered(expected))
        #expect(transport.perform(request.authorised(apiKey: nil, token: nil)) == .answered(expected))
        #expect(server.connectionCount == 1)
        #expect(server.requests.allSatisfy { $0.path == "/rest/v1/checkposts?select=id&code=eq.A%26B" })
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer token", "Bearer key", nil])
        #expect(server.requests.map { $0.headers["apikey"] } == ["key", "key", nil])
        #expect(server.requests.allSatisfy { $0.headers["accept"] == "application/json" })
    }

    @Test func `speaks of JSON where a request speaks of nothing else`() {
        let plain = SyncRequest(.post, "/a", body: Data("{}".utf8)).authorised(apiKey: nil, token: nil)
        #expect(plain.headers == ["Accept": "application/json", "Content-Type": "application/json"])
        let picture = SyncRequest(
            .post, "/a", headers: ["Accept": "*/*", "Content-Type": "image/jpeg"], body: Data([1])
        ).authorised(apiKey: nil, token: nil)
        #expect(picture.headers == ["Accept": "*/*", "Content-Type": "image/jpeg"])
        #expect(request.authorised(apiKey: nil, token: nil).headers == ["Accept": "application/json"])
    }

    @Test func `counts what goes over it, heads and bodies, in both directions`() throws {
        let server = try LoopbackServer { connection, _ in
            connection.answer("200 OK", ["X-Long: " + String(repeating: "h", count: 1000)], body: Data(count: 5000))
        }
        let meter = DataMeter()
        let transport = ServerTransport(url: server.url(), meter: meter)
        _ = transport.perform(request.authorised(apiKey: String(repeating: "k", count: 1000), token: nil))
        let get = meter.take()
        // The key goes twice, once as the bearer.
        #expect((2000...2600).contains(get.sent) && (6000...6300).contains(get.received), "\(get)")
        #expect(meter.take() == DataUse())
        _ = transport.perform(SyncRequest(.post, "/a", body: Data(count: 300_000)))
        let post = meter.take()
        #expect((300_000...300_600).contains(post.sent), "\(post)")
        _ = transport.perform(SyncRequest(.post, "/a", body: Data(count: 700)))
        let small = meter.take()
        #expect((700...1200).contains(small.sent), "a small body counts once: \(small)")
    }

    @Test func `follows no redirect: the keys stay here`() throws {
        let server = try LoopbackServer { connection, _ in
            connection.answer("302 Found", ["Location: /portal"], body: Data("<html>".utf8))
        }
        let exchange = ServerTransport(url: server.url()).perform(request.authorised(apiKey: "key", token: "token"))
        #expect(exchange == .answered(ServerAnswer(status: 302, body: Data("<html>".utf8))))
        #expect(server.requests.count == 1)
    }

    @Test func `says why nothing answered`() throws {
        let port = try FreePort.next()
        let refused = silence(ServerTransport(url: "http://127.0.0.1:\(port)").perform(request))
        #expect(refused?.contains("127.0.0.1 port \(port)") == true, "\(refused ?? "")")
        let server = try LoopbackServer { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(Data(count: 1 << 20)) {}
            return false
        }
        let transport = ServerTransport(url: server.url())
        #expect(silence(transport.perform(request)) == "the answer is longer than 8388608 bytes")
        transport.cancellation.cancel()
        #expect(silence(transport.perform(request)) == "stopped")
    }
}
