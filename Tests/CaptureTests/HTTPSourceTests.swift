import Enforcement
import Foundation
import TestKit
import Testing

@testable import Capture

@Suite("An HTTP camera", .timeLimit(.minutes(10)))
struct HTTPSourceTests {
    private let pictures = (1...3).map { Pictures.jpeg(tag: UInt8($0)) }

    private func source(
        _ url: String, _ mode: HTTPSource.Mode = .stream, user: String? = nil, password: Secret? = nil,
        verifiesTLS: Bool = true
    ) -> HTTPSource {
        HTTPSource(
            camera: "gate", url: Secret(url), user: user, password: password, mode: mode, verifiesTLS: verifiesTLS,
            connectTimeout: .seconds(5), stallTimeout: .seconds(1), clock: .simulated)
    }

    private func failure(of source: HTTPSource) async -> CameraFailure? {
        do {
            try await source.run { _ in }
            return nil
        } catch {
            return error as? CameraFailure
        }
    }

    /// Sends the head and the pictures as a stream, then keeps the line open.
    private func stream(_ pictures: [Data]) -> @Sendable (LoopbackServer.Connection, LoopbackServer.Request) -> Bool {
        { connection, _ in
            connection.send(Stream.head)
            for picture in pictures { connection.send(Stream.part(picture)) }
            connection.waitForEnd()
            return false
        }
    }

    @Test func `gives the pictures of a stream as they are, with the camera's stamp`() async throws {
        let pictures = pictures
        let server = try LoopbackServer { connection, _ in
            connection.send(Stream.head)
            connection.send(Stream.part(pictures[0], headers: ["X-Timestamp: 1795255530.25"]))
            connection.send(Stream.part(pictures[1], hasLength: false))
            connection.send(Stream.part(pictures[2]))
            connection.waitForEnd()
            return false
        }
        let before = CaptureClock.live.now()
        try await running(source(server.url("/video"))) { given in
            try await eventually("three frames") { given.frames.count == 3 }
            #expect(given.items.first == .opened)
            #expect(given.frames.map(\.picture) == pictures)
            #expect(given.frames[0].recordedAt == Instant(milliseconds: 1_795_255_530_250))
            #expect((before...CaptureClock.live.now()).contains(given.frames[1].recordedAt))
            #expect(given.frames.allSatisfy { $0.sourceKey == nil && $0.camera == "gate" })
        }
    }

    @Test func `takes a stream that comes in chunks`() async throws {
        let bytes = pictures.map { Stream.part($0) }.reduce(Data(), +)
        let server = try LoopbackServer { connection, _ in
            connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                    + "Content-Type: multipart/x-mixed-replace;boundary=\"frame\"\r\n\r\n")
            for start in stride(from: 0, to: bytes.count, by: 33) {
                let chunk = bytes[start..<min(start + 33, bytes.count)]
                connection.send(Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8))
            }
            connection.waitForEnd()
            return false
        }
        try await running(source(server.url())) { given in
            try await eventually("three frames") { given.frames.count == 3 }
            #expect(given.frames.map(\.picture) == pictures)
        }
    }

    @Test func `logs in with the basic scheme`() async throws {
        let expected = "Basic " + Data("admin:p@ss:wörd".utf8).base64EncodedString()
        let answer = stream(pictures)
        let server = try LoopbackServer { connection, request in
            guard request.headers["authorization"] == expected else {
                return connection.answer(
                    "401 Unauthorized", ["WWW-Authenticate: Basic realm=\"cam\""], body: Data("please log in".utf8))
            }
            return answer(connection, request)
        }
        try await running(source(server.url(), user: "admin", password: "p@ss:wörd")) { given in
            try await eventually("frames") { given.frames.count == 3 }
        }
        try await running(source(server.url(login: "admin:p%40ss%3Aw%C3%B6rd@"))) { given in
            try await eventually("frames by the login in the address") { given.frames.count == 3 }
        }
    }

    @Test func `logs in with the digest scheme, and does not send the password`() async throws {
        let answer = stream(pictures)
        let server = try LoopbackServer { connection, request in
            let login = request.headers["authorization"] ?? ""
            guard login.hasPrefix("Digest "), Digest.isRight(login, user: "admin", password: "geheim", path: "/video")
            else {
                return connection.answer(
                    "401 Unauthorized",
                    [
                        "WWW-Authenticate: Digest realm=\"cam\", qop=\"auth\", nonce=\"c0ffee\", algorithm=MD5",
                        "WWW-Authenticate: Basic realm=\"cam\"",
                    ])
            }
            return answer(connection, request)
        }
        try await running(source(server.url("/video"), user: "admin", password: "geheim")) { given in
            try await eventually("frames") { given.frames.count == 3 }
        }
        #expect(server.requests.allSatisfy { !($0.headers["authorization"] ?? "").hasPrefix("Basic") })
    }

    @Test func `tells of a refused login without telling the password`() async throws {
        let server = try LoopbackServer { connection, _ in
            connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"cam\""])
        }
        let url = server.url("/cgi?user=admin&pwd=geheim", login: "admin:geheim@")
        let failure = try #require(await failure(of: source(url)))
        #expect(failure.reason.contains("refuses the login"))
        #expect(failure.retriesLate)
        #expect(!failure.description.contains("geheim"))
    }

    @Test func `tells apart what else can go wrong`() async throws {
        let server = try LoopbackServer { connection, request in
            switch request.path {
            case "/page": connection.answer("200 OK", ["Content-Type: text/html"], body: Data("<html>".utf8))
            case "/loop": connection.answer("302 Found", ["Location: /loop"])
            case "/file": connection.answer("302 Found", ["Location: file:///etc/passwd"])
            case "/busy": connection.answer("503 Service Unavailable")
            default: connection.answer("404 Not Found")
            }
        }
        for (path, text) in [
            ("/page", "no stream of pictures"), ("/loop", "redirects"), ("/file", "rotocol"), ("/busy", "status 503"),
            ("/none", "404"),
        ] {
            let failure = try #require(await failure(of: source(server.url(path))))
            #expect(failure.reason.contains(text), "\(failure)")
            #expect(!failure.hint.isEmpty)
        }
        #expect(await failure(of: source("http://127.0.0.1:1/"))?.hint.contains("power") == true)
        #expect(await failure(of: source("ftp://127.0.0.1/a"))?.hint.contains("http://") == true)
        #expect(await failure(of: source("not an address"))?.reason.isEmpty == false)
    }

    @Test func `reports parts that are no pictures and goes on`() async throws {
        let pictures = pictures
        let server = try LoopbackServer { connection, _ in
            connection.send(Stream.head)
            connection.send(Stream.part(pictures[0]))
            connection.send(Stream.part(Data("no picture".utf8)))
            connection.send(Stream.part(pictures[1].dropLast(4)))
            connection.send(Stream.part(pictures[2]))
            connection.waitForEnd()
            return false
        }
        try await running(source(server.url())) { given in
            try await eventually("the last frame") { given.frames.count == 2 }
            #expect(given.frames.map(\.picture) == [pictures[0], pictures[2]])
            #expect(given.unreadable.map(\.name) == ["part 2", "part 3"])
        }
    }

    @Test func `fails when the camera stalls`() async throws {
        let server = try LoopbackServer(stream(pictures))
        let failure = try #require(await failure(of: source(server.url())))
        #expect(failure.hint.contains("hangs"), "\(failure)")
    }

    @Test func `ends soon when it is cancelled while the camera says nothing`() async throws {
        let server = try LoopbackServer { connection, _ in
            connection.waitForEnd()
            return false
        }
        let slow = HTTPSource(camera: "gate", url: Secret(server.url()), mode: .stream, stallTimeout: .seconds(600))
        let task = Task { try await slow.run { _ in } }
        try await eventually("the request") { !server.requests.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `connects again when the camera drops the line`() async throws {
        let pictures = pictures
        let server = try LoopbackServer { connection, _ in
            connection.send(Stream.head)
            connection.send(Stream.part(pictures[0]))
            connection.send(Stream.part(pictures[1]).prefix(60))
            return false
        }
        let supervised = SupervisedSource(
            camera: "gate", source: source(server.url()), silentAfter: nil,
            backoff: Backoff(firstDelay: .milliseconds(10), longestDelay: .milliseconds(20)))
        let given = Collector()
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        try await eventually("three connections") { given.frames.count >= 3 }
        task.cancel()
        try await task.value
        #expect(given.events.first == .connected)
        #expect(given.events.contains { if case .recovered = $0 { true } else { false } })
        #expect(supervised.status.frameCount >= 3)
    }

    @Test func `asks for snapshots over one connection and passes over those that did not change`() async throws {
        let pictures = pictures
        let count = Guarded(0)
        let server = try LoopbackServer { connection, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return connection.answer(
                "200 OK", ["Content-Type: image/jpeg"], body: pictures[min((number - 1) / 3, pictures.count - 1)])
        }
        try await running(source(server.url("/snap.jpg"), .snapshots(every: .milliseconds(20)))) { given in
            try await eventually("ten requests") { server.requests.count >= 10 }
            #expect(given.frames.map(\.picture) == pictures)
            #expect(given.items.filter { $0 == .opened }.count == 1)
        }
    }

    @Test func `takes no picture of more than 20 MB`() async throws {
        let large = Data(count: MultipartParser.largestPart + 1)
        let server = try LoopbackServer { connection, _ in
            connection.answer("200 OK", ["Content-Type: image/jpeg"], body: large)
        }
        let failure = try #require(await failure(of: source(server.url("/snap.jpg"), .snapshots(every: .seconds(1)))))
        #expect(failure.reason == "The camera at \(server.url("/snap.jpg")) sends a picture of more than 20 MB")
        #expect(failure.hint.contains("smaller picture"))
    }

    @Test func `passes over frames of a stream that come too fast`() async throws {
        let answer = stream((0..<50).map { Pictures.jpeg(tag: UInt8($0)) })
        let server = try LoopbackServer(answer)
        let slow = HTTPSource(
            camera: "gate", url: Secret(server.url()), mode: .stream, framesPerSecond: 0.01, stallTimeout: .seconds(1))
        let given = Collector()
        // The stream ends, which is a failure of a live camera.
        await #expect(throws: CameraFailure.self) { try await slow.run { given.take($0) } }
        #expect(given.frames.count == 1)
    }

    @Test func `trusts no certificate that nobody signed, unless told to`() async throws {
        let server = try SelfSignedServer(["snap.jpg": pictures[0]])
        let url = server.url("snap.jpg")
        let refused = try #require(await failure(of: source(url, .snapshots(every: .seconds(1)))))
        #expect(refused.hint.contains("verify_tls"), "\(refused)")
        try await running(source(url, .snapshots(every: .seconds(1)), verifiesTLS: false)) { given in
            try await eventually("the picture") { given.frames.map(\.picture) == [pictures[0]] }
        }
    }
}

/// Checks a digest login (RFC 2617, MD5 with qop=auth).
enum Digest {
    static func isRight(_ header: String, user: String, password: String, path: String) -> Bool {
        var fields: [String: String] = [:]
        for field in header.dropFirst("Digest ".count).split(separator: ",") {
            let pair = field.split(separator: "=", maxSplits: 1).map {
                String($0).trimmingWhitespace().replacingOccurrences(of: "\"", with: "")
            }
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        guard let response = fields["response"], let nonce = fields["nonce"], let count = fields["nc"],
            let client = fields["cnonce"], fields["username"] == user, fields["uri"] == path,
            let first = md5("\(user):cam:\(password)"), let second = md5("GET:\(path)")
        else { return false }
        return response == md5("\(first):\(nonce):\(count):\(client):auth:\(second)")
    }

    private static func md5(_ text: String) -> String? {
        let said = try? RunningProgram.run("/bin/sh", ["-c", "printf %s \"$1\" | md5sum", "sh", text])
        return said.map { String($0.prefix(32)) }
    }
}
