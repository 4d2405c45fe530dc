import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// What boxes and servers of former versions said to each other, held against those of today: a box is not updated on the day its server
/// is. `Tests/Contract/record VERSION` writes the files.
@Suite(
    "A box or a server of another version", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct OtherVersionTests {
    /// Writes the exchanges of this version, where somebody asks for it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHECKPOST_RECORD"] != nil))
    func `is recorded`() throws {
        let version = try #require(ProcessInfo.processInfo.environment["CHECKPOST_RECORD"])
        let (park, recorder) = (try RealPark(), ExchangeRecorder())
        func post(_ letter: String) throws -> Post {
            try Post(letter, park, transport: RecordingTransport(ServerTransport(url: park.url), letter, recorder))
        }
        let (a, b) = (try post("a"), try post("b"))
        try Scenario.drive(a, b)
        try Scenario.settle(a, b)
        let request = park.textRequest(Scenario.text)
        let answer = try HTTPConnection().perform(request)
        recorder.keep(
            Exchange(
                method: "POST", path: "/functions/v1/sms-webhook",
                headers: request.headers.merging([Exchange.signatureField: Exchange.signature]) { $1 },
                body: String(decoding: request.body ?? Data(), as: UTF8.self), status: answer.status,
                answer: String(decoding: answer.body, as: UTF8.self)))
        #expect(recorder.exchanges.allSatisfy { !$0.answer.contains("eyJ") })
        try recorder.write(version)
    }

    @Test func `is known by what its box and its server say in an hour`() throws {
        #expect(!Exchange.versions.isEmpty)
        for version in Exchange.versions {
            let kinds = Set(try Exchange.all(of: version).map(\.kind))
            let main = [
                "POST \(ParkPath.signIn)", "POST /rest/v1/vehicle_passages", "POST \(ParkPath.photos)",
                "GET /rest/v1/vehicle_passages", "GET /rest/v1/violations", "GET /rest/v1/checkposts",
                "POST /rest/v1/violation_outcomes", "POST /functions/v1/change-passage",
                "POST /functions/v1/sms-webhook", "POST /rest/v1/sync_runs",
            ]
            #expect(main.filter { !kinds.contains($0) } == [], "\(version)")
        }
    }

    @Test(arguments: Exchange.versions) func `asks today's server, and gets what it knows`(version: String) throws {
        let park = try RealPark()
        let box = ReplayedBox(park)
        for (number, exchange) in try Exchange.all(of: version).enumerated() {
            let answer = try box.ask(exchange)
            let place: Comment = "\(number): \(exchange.method) \(exchange.path)"
            #expect(answer.status == exchange.status, "\(place): \(String(decoding: answer.body, as: UTF8.self))")
            guard let was = try? JSONValue(Data(exchange.answer.utf8)) else { continue }
            let now = try #require(try? JSONValue(answer.body), place)
            #expect(RecordedShape.missing(was, now) == [], place)
        }
        #expect(try park.query("select count(*) from storage.objects") == ["1"])
        #expect(try park.query("select violation_type from violations") == ["speeding"])
    }

    /// A box of today over a server that answers as that version's did.
    private func exchanged(_ server: RecordedServer) throws -> Post {
        let place = (url: "http://127.0.0.1:1", key: "key")
        let post = try Post("a", at: place, transport: server.transport("a"))
        let other = try Post("b", at: place, transport: server.transport("b"))
        try Scenario.drive(post, other)
        #expect(try post.store.passages.passage(clientID: Scenario.entry)?.serverID != nil)
        #expect(try other.store.passages.passage(clientID: Scenario.exit)?.serverID != nil)
        #expect(server.asked.contains("POST \(ParkPath.photos)"))
        #expect(try other.store.violations.list().map(\.violation.kind) == [.speeding])
        for box in [post, other] {
            #expect(try box.store.queue.entries(status: .failed) == [])
            #expect(try box.store.queue.counts()[.pending] ?? 0 == 0)
        }
        return post
    }

    @Test(arguments: Exchange.versions) func `answers today's box, which loses nothing`(version: String) throws {
        let post = try exchanged(RecordedServer(try Exchange.all(of: version)))
        #expect(try post.store.passages.passage(clientID: Scenario.entry)?.isMatched == true)
    }

    /// One by one, what an older server may lack.
    @Test(arguments: ["news", "passage_days", "accounts_open", "add-evidence", "add_evidence", "change-passage"])
    func `may lack a function, and today's box sends its passages all the same`(function: String) throws {
        let version = try #require(Exchange.versions.last)
        let server = RecordedServer(try Exchange.all(of: version).filter { !$0.path.contains("/\(function)") })
        _ = try exchanged(server)
    }

    @Test(arguments: ["travel", "tolerance_kmh", "resolved_by"])
    func `may lack a column, and today's box sends its passages all the same`(column: String) throws {
        let server = RecordedServer(try Exchange.all(of: try #require(Exchange.versions.last)))
        server.lacks = column
        _ = try exchanged(server)
    }

    @Test func `may say more than today's box knows`() throws {
        let server = RecordedServer(try Exchange.all(of: try #require(Exchange.versions.last)))
        server.saysMore = true
        _ = try exchanged(server)
    }
}
