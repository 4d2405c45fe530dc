import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("The page of who is inside", .serialized, .timeLimit(.minutes(10)))
struct InsideTests {
    @discardableResult
    private func entered(_ rig: Rig, _ plate: String, hoursAgo: Double, here: Bool) throws -> UUID {
        let (id, at) = (UUID(), rig.clock.now - .hours(hoursAgo))
        if here {
            try rig.store.passages.record(
                Passage(
                    clientID: id, plate: Plate(canonical: plate), plateRaw: "", vehicleType: .bus,
                    checkpostCode: "BNP-B",
                    recordedAt: at, clockState: .synchronised, origin: .camera), at: at)
        } else {
            try rig.store.otherPost.upsert(
                [
                    MatchablePassage(
                        clientID: id, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-A",
                        recordedAt: at, clockState: .synchronised)
                ], at: at)
        }
        return id
    }

    @Test func `says what comes next for each, counts it down, and keeps those past their time apart`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let here = try entered(rig, "BA 3 KHA 5", hoursAgo: 1, here: true)
            try entered(rig, "B AC 5763", hoursAgo: 2, here: false)
            try entered(rig, "BA 1 CHA 9", hoursAgo: 6, here: false)
            try rig.violation("BA 9 CHA 1")
            let page = try await visitor.get("/inside").text
            let order = ["BA 3 KHA 5", "B AC 5763", "Past their time", "BA 1 CHA 9"].compactMap {
                page.range(of: $0)?.lowerBound
            }
            #expect(order.count == 4 && order == order.sorted())
            #expect(page.contains("BNP-B → BNP-A") && page.contains("not lawful before 12:07"), "\(page)")
            #expect(page.contains("data-until-ms=\"450000\"") && page.contains("बा ३ ख ५"))
            #expect(page.contains("href=\"/passage?id=\(here.uuidString.lowercased())\""))
            rig.clock.advance(.minutes(10))
            let rows = try await visitor.get("/fragments/inside").text
            #expect(!rows.contains("BA 9 CHA 1"), "it came out")
            #expect(!rows.contains("<html") && !rows.contains("not lawful before"))
            let list = try await visitor.get("/api/inside").list
            #expect(list.map { $0["phase"] as? String } == ["lawful", "lawful", "overdue"])
        }
    }

    @Test func `marks a vehicle that may be out, and drops one that a ranger dismissed`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.overstay("BA 3 KHA 5")
            #expect(try await visitor.get("/inside").text.contains("BA 3 KHA 5"))
            _ = try await visitor.call("/api/overstays/dismiss", ["id": "\(id)", "reason": "left by this post"])
            #expect(try await visitor.get("/inside").text.contains("Nobody is known to be inside."))
            let entry = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1284"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now - .hours(2), clockState: .untrusted, origin: .camera
            )
            try rig.store.passages.record(entry, at: rig.clock.now)
            let exit = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .minutes(5), clockState: .simulated)
            try rig.store.otherPost.upsert([exit], at: rig.clock.now)
            try rig.store.matches.savePossible(
                [Match(MatchablePassage(entry), exit, certainty: .lookAlike)], at: rig.clock.now)
            let page = try await visitor.get("/inside").text
            #expect(page.contains("looks like one that came out") && page.contains("time not trusted"))
        }
    }
}
