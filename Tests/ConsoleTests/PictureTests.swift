import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("The pictures of a violation", .serialized, .timeLimit(.minutes(10)))
struct PictureTests {
    private let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data("the other post's".utf8)

    @Test(arguments: [
        (PictureNews.noServer, "at the other post"), (.asked, "Fetching"), (.notYet, "has not sent"),
        (.unreachable, "no connection for the picture"),
    ])
    func `say in words why the other post's isn't there`(news: PictureNews, words: String) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            rig.host.answer(pictures: news)
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/outcome?violation=\(violation.id)").text.replacing("&#39;", with: "'")
            #expect(page.contains(words))
            #expect(rig.host.wanted.contains(violation.entryClientID))
            #expect(!rig.host.wanted.contains(violation.exitClientID), "this post's own is never asked for")
        }
    }

    @Test func `are both shown once the other post's is there, and the browser is told`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            let visitor = try await rig.ranger()
            let id = violation.entryClientID.uuidString.lowercased()
            #expect(try await visitor.get("/photos/other/\(id)").status == 404)
            let listener = visitor.listener()
            async let heard = listener.events(1)
            while rig.console.hub.readerCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
            try rig.console.otherPictures.keep(picture, of: violation.entryClientID)
            rig.host.arrived(violation.entryClientID)
            let event = try #require(try await heard.first)
            #expect(event["event"] == "picture")
            #expect(event["data"]?.contains(id) == true)
            for path in ["/", "/outcome?violation=\(violation.id)", "/passage?id=\(violation.exitClientID)"] {
                #expect(try await visitor.get(path).text.contains("src=\"/photos/other/\(id)\""), "\(path)")
            }
            let answer = try await visitor.get("/photos/other/\(id)")
            #expect(answer.body == picture)
            #expect(answer.headers["content-type"] == "image/jpeg")
        }
    }

    @Test func `are for people who are signed in, and no path leads out of their folder`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            try rig.console.otherPictures.keep(picture, of: violation.entryClientID)
            #expect(try await rig.visitor().get("/photos/other/\(violation.entryClientID)").body != picture)
            let visitor = try await rig.ranger()
            for name in ["..", "%2e%2e%2fcheckpost.sqlite", "nonsense", UUID().uuidString] {
                #expect(try await visitor.get("/photos/other/\(name)").status == 404, "\(name)")
            }
        }
    }

    @Test func `name what an overstay's speed would have had to be`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.violation(kind: .overstay, minutes: 300)
            let alert = try #require(try await rig.ranger().get("/api/alerts").list.first)
            #expect(alert["limit"] as? String == "at least 10 km/h")
        }
    }
}

@Suite("A technician at the console", .serialized, .timeLimit(.minutes(10)))
struct TechnicianTests {
    @Test func `sends a test message to a number of choice`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            #expect(try await visitor.call("/api/sms", ["number": "+9779812345678"]).status == 200)
            #expect(try await visitor.post("/do/sms", ["number": " "]).location == "/technician?said=sms")
            #expect(rig.host.numbers == ["+9779812345678", nil])
            for wrong in ["nonsense", String(repeating: "9", count: 21)] {
                let answer = try await visitor.call("/api/sms", ["number": wrong])
                #expect(answer.status == 422)
                #expect(answer.object["error"] as? String == "error_number")
            }
        }
    }

    @Test func `sees what vehicles are judged by`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let page = try await rig.technician().get("/technician").text
            #expect(
                page.contains("Banke · 45 km · at most 40 km/h · at least 10 km/h · tolerance 0 km/h / 0 %"), "\(page)")
        }
    }

    @Test func `sees what the server refused, with its reason, and puts it back in line`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.violation()
            var entry = try #require(try rig.store.queue.waiting(limit: 1).first)
            entry.status = .failed
            entry.isRefused = true
            entry.lastError = "<b>plate</b> is too long"
            try rig.store.queue.update(entry)
            let visitor = try await rig.technician()
            let page = try await visitor.get("/technician").text
            #expect(page.contains("&lt;b&gt;plate&lt;/b&gt; is too long"))
            #expect(page.contains("BA 1 CHA 1234"))
            #expect(try await visitor.post("/do/queue/retry", ["id": "\(entry.id)"]).status == 303)
            #expect(try rig.store.queue.counts()[.pending] == 1)
            #expect(try await visitor.call("/api/queue/retry", ["id": "nonsense"]).status == 422)
        }
    }

    @Test func `says that two plates that look alike are one vehicle`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let own = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now, clockState: .simulated, origin: .camera)
            try rig.store.passages.record(own, at: rig.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1284"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .minutes(80), clockState: .simulated)
            try rig.store.otherPost.upsert([other], at: rig.clock.now)
            let match = Match(other, MatchablePassage(own), certainty: .lookAlike)
            #expect(try rig.store.matches.savePossible([match], at: rig.clock.now) == 1)
            let id = try #require(try rig.store.matches.possible().first?.id)
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/overstays").text.contains("ONE VEHICLE: BA 1 CHA 1284"))
            #expect(try await visitor.post("/do/matches/accept", ["id": "\(id)"]).status == 303)
            #expect(
                try rig.store.passages.passage(clientID: own.clientID)?.passage.plate.canonical == "BA 1 CHA 1284")
            #expect(
                try rig.store.passages.corrections(ofPassage: own.clientID).first?.oldPlate.canonical
                    == "BA 1 CHA 1234")
            #expect(try await visitor.post("/do/matches/accept", ["id": "\(id)"]).status == 409)
        }
    }
}
