import Enforcement
import Foundation
import HTTPClient
import Synchronization
import TestKit
import Testing

@Suite("An HTTP connection", .timeLimit(.minutes(5)))
struct HTTPConnectionTests {
    private func get(_ url: String, _ limits: HTTPLimits = HTTPLimits()) -> HTTPRequest {
        HTTPRequest(.get, Secret(url), limits: limits)
    }

    @discardableResult
    private func failure(of request: HTTPRequest) throws -> HTTPFailure {
        try #require(throws: HTTPFailure.self) { _ = try HTTPConnection().perform(request) }
    }

    @Test func `sends method, fields, keys and body, and brings the answer whole`() throws {
        let server = try LoopbackServer { connection, _ in
            connection.answer("409 Conflict", ["Retry-After: 7", "X-Odd:  spaced \t"], body: Data("taken".utf8))
        }
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var request = HTTPRequest(
            .patch, HTTPAddress.url(server.url(), HTTPAddress.path("/rows", query: [("plate", "eq.बा 1 &")])),
            headers: ["Prefer": "return=minimal"], body: body)
        (request.apiKey, request.bearer) = ("public", "token")
        let answer = try HTTPConnection().perform(request)
        #expect(answer.status == 409 && answer.body == Data("taken".utf8))
        #expect(answer.head["retry-after"] == "7" && answer.head["x-odd"] == "spaced")
        let asked = try #require(server.requests.first)
        #expect(server.requests.count == 1 && asked.method == "PATCH")
        #expect(asked.path == "/rows?plate=eq.%E0%A4%AC%E0%A4%BE%201%20%26")
        #expect(asked.body == body)
        #expect(asked.headers["prefer"] == "return=minimal" && asked.headers["apikey"] == "public")
        #expect(asked.headers["authorization"] == "Bearer token" && asked.headers["expect"] == nil)
    }

    @Test func `keeps the line open from one request to the next, and keeps nothing else`() throws {
        let server = try LoopbackServer { connection, _ in connection.answer("200 OK", body: Data("[]".utf8)) }
        let connection = HTTPConnection()
        var first = HTTPRequest(.post, Secret(server.url()), headers: ["X-First": "1"], body: Data("body".utf8))
        first.bearer = "token"
        _ = try connection.perform(first)
        #expect(try connection.perform(get(server.url())).body == Data("[]".utf8))
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        let second = server.requests[1]
        #expect(second.body.isEmpty && second.headers["x-first"] == nil && second.headers["authorization"] == nil)
    }

    @Test func `hands a stream on as it comes, until there is enough`() throws {
        let server = try LoopbackServer { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: video/x-test\r\n\r\n")
            while connection.send("0123456789") {}
            return false
        }
        var kinds: Set<String?> = []
        var count = 0
        let head = try HTTPConnection().perform(
            get(server.url(), HTTPLimits(total: nil, answerBytes: nil))
        ) { head, bytes in
            kinds.insert(head["content-type"])
            count += bytes.count
            return count < 1_000_000
        }
        #expect(head.status == 200 && kinds == ["video/x-test"])
        #expect(count >= 1_000_000 && count < 1_100_000, "\(count)")
    }

    @Test func `ends a silent stream soon when it is cancelled from another thread, and begins nothing after that`()
        throws
    {
        let server = try LoopbackServer { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\n\r\nfirst")
            connection.waitForEnd()
            return false
        }
        let cancellation = HTTPCancellation()
        let connection = HTTPConnection(cancellation: cancellation)
        let request = get(server.url(), HTTPLimits(total: nil, silence: .minutes(10), answerBytes: nil))
        var cancelledAt: ContinuousClock.Instant?
        let failure = #expect(throws: HTTPFailure.self) {
            try connection.perform(request) { _, _ in
                cancelledAt = .now
                Thread { cancellation.cancel() }.start()
                return true
            }
        }
        #expect(failure?.kind == .cancelled && failure?.cause == "stopped")
        // A second is what libcurl takes at most; the rest is for a busy machine.
        #expect(try .now - #require(cancelledAt) < .seconds(30))
        let again = #expect(throws: HTTPFailure.self) { _ = try connection.perform(request) }
        #expect(again?.kind == .cancelled && server.requests.count == 1)
    }

    @Test func `takes an answer of the greatest size, and none that is longer`() throws {
        let server = try LoopbackServer { connection, request in
            connection.answer("200 OK", body: Data(count: request.path == "/long" ? 1001 : 1000))
        }
        let limits = HTTPLimits(answerBytes: 1000)
        #expect(try HTTPConnection().perform(get(server.url("/right"), limits)).body.count == 1000)
        let failure = try failure(of: get(server.url("/long"), limits))
        #expect(failure.kind == .tooLong && failure.status == 200)
        #expect(failure.description == "the answer is longer than 1000 bytes")
    }

    @Test func `gives up what brings nothing, and what takes too long though it brings something`() throws {
        let server = try LoopbackServer { connection, request in
            connection.send("HTTP/1.1 503 Busy\r\n\r\nfirst")
            guard request.path == "/drip" else {
                connection.waitForEnd()
                return false
            }
            while connection.send(".") { usleep(10_000) }
            return false
        }
        let silent = try failure(of: get(server.url("/"), HTTPLimits(total: .minutes(10), silence: .seconds(1))))
        #expect(silent.kind == .timedOut && silent.status == 503, "\(silent)")
        let slow = try failure(
            of: get(server.url("/drip"), HTTPLimits(total: .milliseconds(300), silence: .minutes(10))))
        #expect(slow.kind == .timedOut && slow.status == 503, "\(slow)")
    }

    @Test func `says what libcurl says where nothing answers`() throws {
        let port = try FreePort.next()
        let refused = try failure(of: get("http://127.0.0.1:\(port)/"))
        #expect(refused.kind == .noConnection && refused.status == 0)
        #expect(refused.cause.contains("127.0.0.1") && refused.cause.contains("\(port)"), "\(refused)")
        #expect(try failure(of: get("http://nowhere.invalid/")).kind == .unknownHost)
        #expect(try failure(of: get("ftp://127.0.0.1/file")).kind == .badAddress)
        #expect(try failure(of: get("")).kind == .badAddress)
        let server = try LoopbackServer { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            return false
        }
        let half = try failure(of: get(server.url()))
        #expect(half.kind == .other && half.status == 200 && !half.cause.isEmpty)
    }

    @Test func `follows redirects only as far as it is told, and out of the web never`() throws {
        let server = try LoopbackServer { connection, request in
            switch request.path {
            case "/first": connection.answer("302 Found", ["Location: /second"], body: Data("not this".utf8))
            case "/second": connection.answer("302 Found", ["Location: /third"])
            case "/file": connection.answer("302 Found", ["Location: file:///etc/passwd"])
            default: connection.answer("200 OK", ["X-Here: 1"], body: Data("here".utf8))
            }
        }
        let plain = try HTTPConnection().perform(get(server.url("/first")))
        #expect(plain.status == 302 && plain.body == Data("not this".utf8))
        var request = get(server.url("/first"))
        request.mostRedirects = 2
        let followed = try HTTPConnection().perform(request)
        #expect(followed.status == 200 && followed.body == Data("here".utf8) && followed.head["x-here"] == "1")
        #expect(followed.head["location"] == nil)
        request.mostRedirects = 1
        let far = try failure(of: request)
        #expect(far.kind == .tooManyRedirects && far.status == 302)
        var file = get(server.url("/file"))
        file.mostRedirects = 5
        #expect(try failure(of: file).kind == .badAddress)
    }

    @Test func `believes the certificates that it is told to, and no others`() throws {
        let (server, other) = (try SelfSignedServer(["a.txt": Data("a".utf8)]), try SelfSignedServer([:]))
        var request = get(server.url("a.txt"))
        #expect(try failure(of: request).kind == .untrusted)
        request.trust = .file(other.certificateFile)
        #expect(try failure(of: request).kind == .untrusted)
        request.trust = .file(other.certificateFile + ".gone")
        #expect(try failure(of: request).kind == .untrusted)
        request.trust = .file(server.certificateFile)
        #expect(try HTTPConnection().perform(request).body == Data("a".utf8))
        request.trust = .anyone
        #expect(try HTTPConnection().perform(request).body == Data("a".utf8))
        // What was believed once is not believed for ever.
        let connection = HTTPConnection()
        _ = try connection.perform(request)
        request.trust = .system
        #expect(throws: HTTPFailure.self) { _ = try connection.perform(request) }
    }

    @Test func `works on many threads at once`() throws {
        let server = try LoopbackServer { connection, request in
            connection.answer("200 OK", body: Data(request.path.utf8))
        }
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            let connection = HTTPConnection()
            for number in 0..<20 {
                let path = "/\(thread)/\(number)"
                guard let answer = try? connection.perform(get(server.url(path))) else { continue }
                right.withLock { $0 += answer.body == Data(path.utf8) ? 1 : 0 }
            }
        }
        #expect(right.withLock { $0 } == 320)
        #expect(server.connectionCount == 16)
    }

    @Test func `tells no key, password or address when it is described`() {
        var request = get("http://camera/?key=qqaddress")
        (request.apiKey, request.bearer) = ("qqkey", "qqtoken")
        request.login = .init(user: "viewer", password: "qqpassword")
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("qq") && !"\(request)".contains("qq"), "\(dumped)")
        #expect(dumped.contains("viewer"))
    }
}
