import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A vehicle that the camera has recorded, at the console", .serialized, .timeLimit(.minutes(10)))
struct DoublingTests {
    private func passed(_ rig: Rig, _ plate: String, secondsAgo: Double = 1) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-B", recordedAt: rig.clock.now - .seconds(secondsAgo), clockState: .simulated,
            confidence: 0.97, origin: .camera)
        try rig.store.passages.record(passage, at: rig.clock.now)
        return passage
    }

    @Test func `is offered to be confirmed in place of a second passage`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let passage = try passed(rig, "BA 1 PA 4036")
            let answer = try await visitor.call("/api/record", [:]).object
            #expect(answer["recorded_passage"] as? String == passage.clientID.uuidString.lowercased())
            let id = try #require(answer["id"] as? String)
            let page = try await visitor.get("/review?id=\(id)").text
            #expect(page.contains("/do/reviews/confirm") && page.contains("BA 1 PA 4036 was recorded at"))
            #expect(try await visitor.get("/api/reviews").list.first?["recorded"] != nil)
            let confirmed = try await visitor.post(
                "/do/reviews/confirm", ["id": id, "passage": passage.clientID.uuidString])
            #expect(confirmed.status == 303 && confirmed.location?.hasPrefix("/?said=already&of=") == true)
            #expect(try rig.store.passages.list().count == 1)
            #expect(try rig.store.sightings.sighting(id: id)?.passageClientID == passage.clientID)
            #expect(try await visitor.call("/api/reviews/confirm", ["id": id, "passage": "\(UUID())"]).status == 409)
        }
    }

    @Test func `is not doubled by its own plate, and another vehicle is recorded`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            _ = try passed(rig, "BA 1 PA 4036")
            let first = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            let same = try await visitor.call("/api/reviews/submit", ["id": first, "plate": "ba1pa 4036"])
            #expect(same.status == 200 && same.object["already"] as? String == "1")
            let second = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            let other = try await visitor.call("/api/reviews/submit", ["id": second, "plate": "BA 1 PA 4037"])
            #expect(other.status == 200 && other.object["already"] == nil)
            #expect(
                try rig.store.passages.list().map(\.passage.plate.compact).sorted() == ["BA1PA4036", "BA1PA4037"])
        }
    }

    @Test func `is long gone a minute later`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            _ = try passed(rig, "BA 1 PA 4036", secondsAgo: 60)
            #expect(try await visitor.call("/api/record", [:]).object["recorded_passage"] == nil)
        }
    }

    @Test func `comes back when a discard is undone, with its picture`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            rig.live.show(
                Frame(
                    picture: Data([0xFF, 0xD8, 0xFF]), recordedAt: rig.clock.now, clockState: .simulated,
                    camera: "gate"), width: 640, height: 480, plates: [], arrivedAt: rig.clock.now)
            let id = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            let discarded = try await visitor.post("/do/reviews/discard", ["id": id])
            let page = try await visitor.get(try #require(discarded.location)).text
            #expect(page.contains("UNDO") && page.contains("value=\"\(id)\""))
            #expect(try rig.store.photos.unreferenced(keptBefore: rig.clock.now + .hours(999)).isEmpty)
            #expect(try await visitor.get("/review").text.contains("/do/reviews/restore"))
            #expect(try await visitor.get("/api/reviews?discarded=1").list.count == 1)
            #expect(try await visitor.post("/do/reviews/restore", ["id": id]).status == 303)
            #expect(try rig.store.sightings.list(in: .review).map(\.hasPhoto) == [true])
            #expect(try await visitor.call("/api/reviews/restore", ["id": id]).status == 409)
        }
    }
}
