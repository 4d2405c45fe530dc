import Enforcement
import Foundation
import HTTPClient
import MachineClock
import ParkAPI
import PeerLink
import Storage
import Synchronizer
import TestKit
import Testing

@testable import Appliance

/// Two real boxes, of which one alone has a link to the server.
@Suite("The way to the server through the other post", .serialized, .timeLimit(.minutes(15)))
struct PeerRelayTests {
    /// Answers as a server does that is slow, talks much, or hangs up; whoever asks for something else is answered with nothing.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { connection, request in
            switch request.path {
            case "/long": return connection.answer("200 OK", body: JSONSide.long)
            case "/slow":
                // Longer than a question waits.
                usleep(3_500_000)
                return connection.answer("200 OK", body: Data("[1]".utf8))
            case "/pausing":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1")
                // Longer than one is asked about at once.
                usleep(4_000_000)
                return connection.send(",2]")
            case "/closing":
                connection.answer("200 OK", ["Connection: close"], body: Data("[3]".utf8))
                return false
            case "/count": return connection.answer("200 OK", body: Data("[\(request.body.count)]".utf8))
            default: return connection.answer("404 Not Found", body: Data("{}".utf8))
            }
        }
    }

    private enum JSONSide {
        static let long = Data(("[\"" + String(repeating: "0123456789", count: 60_000) + "\"]").utf8)
    }

    private func way(of box: RunningAppliance, to url: String, trusting file: String? = nil) throws -> PeerWay {
        var server = Configuration.Server(
            url: url, email: "bnp-a@bnp.local", passwordFile: box.folder["server.password"].path)
        server.caFile = file
        return PeerWay(to: server, otherPost: "BNP-B", store: try box.opened(), HTTPCancellation())
    }

    private func answer(_ exchange: ServerExchange) -> (status: Int, body: Data)? {
        if case .answered(let answer) = exchange { return (answer.status, answer.body) }
        return nil
    }

    private func silence(_ exchange: ServerExchange) -> String {
        if case .silent(let reason) = exchange { return reason }
        return "\(exchange)"
    }

    @Test func `carries what is long, slow, or comes in pieces, and ends with the pairing`() async throws {
        let server = try Self.server()
        // A name that nobody can look up: without a link there is nobody to ask.
        let url = "http://park.invalid:8000"
        let (a, b) = try await PairedBoxes.paired((url, "http://127.0.0.1:\(server.port)"))
        let way = try way(of: a, to: url)
        func asked(_ path: String, _ body: Data? = nil) -> (status: Int, body: Data)? {
            answer(way.perform(SyncRequest(body == nil ? .get : .post, path, body: body)))
        }
        #expect(asked("/long")?.body == JSONSide.long)
        #expect(asked("/count", Data(count: 300_000))?.body == Data("[300000]".utf8))
        // The answer is longer than a piece, and the request too, on one connection.
        #expect(asked("/slow")?.body == Data("[1]".utf8))
        #expect(asked("/pausing")?.body == Data("[1,2]".utf8))
        #expect(asked("/closing")?.body == Data("[3]".utf8))
        #expect(asked("/nothing")?.status == 404)
        // Somebody clears the folder that the way begins in.
        let run = RunFolder(dataFolder: a.folder["data"].path).path
        for name in try FileManager.default.contentsOfDirectory(atPath: run) where name.hasPrefix("way.") {
            try FileManager.default.removeItem(atPath: run + "/" + name)
        }
        #expect(asked("/nothing")?.status == 404)
        #expect(server.requests.contains { $0.headers["host"] == "park.invalid:8000" })
        // The data of it is that of the box whose link it took.
        #expect(
            try await b.eventually {
                try b.opened().dataUse.use(ofMonth: DataUse.month(of: BoxClock.now)).total > 900_000
            })
        let revoked = try await Program.run(["peer", "revoke", "--config", b.configuration.path])
        #expect(revoked.status == 0)
        #expect(silence(way.perform(SyncRequest(.get, "/closing"))).contains("isn't paired with this one"))
        try await PairedBoxes.stop(a, b)
    }

    @Test func `is the box's own conversation with the server, which nobody on the way can be part of`() async throws {
        let server = try SelfSignedServer(["a": Data("[7]".utf8)])
        let url = server.url("")
        let (a, b) = try await PairedBoxes.paired(("http://park.invalid", url))
        let request = SyncRequest(.get, "/a")
        let sealed = try way(of: a, to: url, trusting: server.certificateFile)
        #expect(answer(sealed.perform(request))?.body == Data("[7]".utf8))
        // Whoever answers at the other end has no certificate that this box believes.
        let doubted = silence(try way(of: a, to: url).perform(request))
        #expect(doubted.contains("certificate"), "\(doubted)")
        try await PairedBoxes.stop(a, b)
    }

    @Test func `says what is wrong at the other post`() async throws {
        let nowhere = "http://127.0.0.1:\(try FreePort.next())"
        let (a, b) = try await PairedBoxes.paired((nowhere, nowhere))
        let way = try way(of: a, to: nowhere)
        let request = SyncRequest(.get, "/count")
        #expect(silence(way.perform(request)) == "through BNP-B: it can't reach 127.0.0.1 either")
        _ = try await b.stop()
        #expect(silence(way.perform(request)).hasPrefix("through BNP-B: "))
        _ = try await a.stop()
        let stranger = try TemporaryFolder()
        let store = try Store(path: stranger["checkpost.sqlite"].path)
        let unpaired = PeerWay(
            to: Configuration.Server(url: nowhere, email: "", passwordFile: ""), otherPost: "BNP-B", store: store,
            HTTPCancellation())
        #expect(silence(unpaired.perform(request)) == "this box is paired with no other one")
    }

    @Test func `is lent to nobody where the configuration says so`() async throws {
        let server = try Self.server()
        let (a, b) = try await PairedBoxes.paired(("http://park.invalid", "http://127.0.0.1:\(server.port)")) {
            $0.more += "relay = false\n"
        }
        let way = try way(of: a, to: "http://park.invalid")
        #expect(silence(way.perform(SyncRequest(.get, "/count"))).contains("lends nobody its way"))
        try await PairedBoxes.stop(a, b)
    }

    /// A hub of another road has a link; two boxes of two roads have none, and the other post of one of them has none either.
    @Test func `is also that of a hub, for boxes of several roads, which are told nothing else there`() async throws {
        let server = try Self.server()
        let (url, nowhere) = ("http://park.invalid", "http://127.0.0.1:\(try FreePort.next())")
        let ports = try (0..<4).map { _ in try FreePort.next() }
        let hub = try PairedBoxes.box("HQ-1", "HQ-2", 0, server: "http://127.0.0.1:\(server.port)", port: ports[0]) {
            _ in
        }
        let a = try PairedBoxes.box("BNP-A", "BNP-B", 0, server: url, port: ports[1]) { _ in }
        let b = try PairedBoxes.box("BNP-B", "BNP-A", 1, server: nowhere, port: ports[2]) { _ in }
        let c = try PairedBoxes.box("CNP-C", "CNP-D", 0, server: url, port: ports[3]) { _ in }
        try await PairedBoxes.isUp([hub, a, b, c])
        try await PairedBoxes.join(a, to: b, port: ports[2])
        for box in [a, c] { try await PairedBoxes.join(box, to: hub, port: ports[0], "--hub") }
        // The other post answers that it has no way: in the same request it is the hub's.
        for box in [a, c] {
            let way = try way(of: box, to: url)
            #expect(
                answer(way.perform(SyncRequest(.post, "/count", body: Data(count: 9000))))?.body == Data("[9000]".utf8))
            #expect(way.lender == "HQ-1")
        }
        let store = try c.opened()
        let known = try #require(try store.peers.active(.hub).first)
        let key = try #require(PeerKey(text: known.publicKey))
        func ask(_ ask: PeerAsk) throws {
            let caller = PeerCaller(as: try PeerKeeper(store).identity()) { MachineClock.uptime }
            _ = try caller.ask(JSONEncoder().encode(ask), of: key, at: known.addresses[0], wait: .seconds(5))
        }
        let question = PeerQuestion(after: 0, outcomesAfter: 0, reviews: nil, waitSeconds: 0, port: 8460)
        #expect(throws: PeerFailure.self) { try ask(PeerAsk(news: question)) }
        #expect(throws: PeerFailure.self) {
            try ask(PeerAsk(picture: PictureQuestion(passage: UUID(), from: 0, mostBytes: 9)))
        }
        #expect(throws: Never.self) { try ask(PeerAsk(relay: RelayQuestion(connection: "x", isOver: true))) }
        let listed = try await Program.run(["peer", "list", "--json", "--config", hub.configuration.path])
        for line in listed.output.split(separator: "\n") {
            try SchemaTests.hold(String(line), to: "peer-list", errors: "")
        }
        #expect(
            try hub.opened().peers.active(.guest).map(\.code) == ["BNP-A", "CNP-C"]
                && hub.opened().peers.active() == nil)
        let ended = try await Program.run(["peer", "revoke", "CNP-C", "--config", hub.configuration.path])
        #expect(ended.status == 0)
        #expect(
            silence(try way(of: c, to: url).perform(SyncRequest(.get, "/count"))).contains("isn't paired with this one")
        )
        #expect(answer(try way(of: a, to: url).perform(SyncRequest(.get, "/nothing")))?.status == 404)
        try await PairedBoxes.stop(hub, a, b, c)
    }

    @Test func `is no hub's that has none, and the other post is no guest`() async throws {
        let (a, b) = try await PairedBoxes.paired(("http://park.invalid", "http://127.0.0.1:\(try FreePort.next())"))
        func refused(_ box: RunningAppliance, by other: RunningAppliance) async throws -> String {
            let pair = ["peer", "pair", "--guest", "--config", other.configuration.path]
            let code = try await Program.run(pair).output
            let text = try String(contentsOf: other.configuration, encoding: .utf8)
            let port = try #require(text.firstMatch(of: /\[peer\]\n[^\[]*port = (\d+)/)).1
            let asked = try await Program.run(
                [
                    "peer", "join", "127.0.0.1:\(port)", code.trimmingCharacters(in: .whitespacesAndNewlines), "--hub",
                    "--config", box.configuration.path,
                ])
            #expect(asked.status != 0)
            return asked.errors
        }
        #expect(try await refused(a, by: b).contains("paired with this box already, as something else"))
        for box in [a, b] {
            #expect(try await Program.run(["peer", "revoke", "--config", box.configuration.path]).status == 0)
        }
        // Where it asks its server without https it would read what goes through.
        #expect(try await refused(b, by: a).contains("lends its way to the server to nobody"))
        try await PairedBoxes.stop(a, b)
    }

    @Test(.enabled(if: RealPark.isPossible))
    func `brings a post's records to the park's server and its findings back, without its own link`() async throws {
        let park = try RealPark(port: FreePort.next())
        let link = try LoopbackProxy(to: try park.port)
        link.cut()
        let (a, b) = try await PairedBoxes.paired(("http://127.0.0.1:\(link.port)", park.url)) {
            $0.key = park.key
            $0.password = "right-and-long-enough"
            $0.sms = "after_minutes = 2"
        }
        let now = BoxClock.now
        func record(_ box: RunningAppliance, _ code: String, at time: Instant) throws -> UUID {
            let plate = Plate(canonical: "BA 1 PA 1111")
            let passage = Passage(
                clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: code,
                recordedAt: time, clockState: .synchronised, confidence: 0.9, origin: .camera)
            try box.opened().passages.record(passage, at: time)
            return passage.clientID
        }
        let ids = try (0..<40).map { try record(a, "BNP-A", at: now - .minutes(30) - .minutes(Double($0) * 20)) }
        func here() throws -> Set<String> {
            Set(try park.query("select client_id from vehicle_passages where source = 'app'"))
        }
        #expect(
            try await a.eventually(60) { try here() == Set(ids.map { $0.uuidString.lowercased() }) }, "\(a.log)")
        let status = try await Program.run(["status", "--json", "--config", a.configuration.path])
        try SchemaTests.hold(status.output, to: "status", errors: status.errors)
        let text = try await Program.run(["status", "--config", a.configuration.path]).output
        #expect(text.contains("online through another box"), "\(text)")
        #expect(a.log.contains("the server is reached through another box"))
        #expect(try park.query("select count(*) from vehicle_passages where source <> 'app'") == ["0"])
        // Once each, whichever way it goes.
        #expect(try park.query("select count(*) from vehicle_passages") == ["\(ids.count)"])
        try await PairedBoxes.stop(a, b)
    }
}
