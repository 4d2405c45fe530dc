import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A ranger and the alerts", .timeLimit(.minutes(10)))
struct AlertTests {
    @Test func `is alerted until somebody has touched it, and finds it in the list afterwards`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation()
            let id = "violation/\(violation.id.uuidString.lowercased())"
            let fragment = try await visitor.get("/fragments/alert").text
            #expect(fragment.contains("SPEEDING") && fragment.contains("BA 1 CHA 1234"))
            #expect(fragment.contains("67.5 km/h") && fragment.contains("limit 40 km/h<"))
            #expect(!fragment.contains("tolerance"), "there is none")
            #expect(fragment.contains("Entry BNP-A") && fragment.contains("Exit BNP-B"), "each time with its post")
            #expect(fragment.contains("provisional"))
            #expect(try await visitor.get("/fragments/alert").text.contains(id), "it repeats")
            #expect(try await visitor.call("/api/alerts/later", ["id": id]).status == 200)
            #expect(try await visitor.get("/fragments/alert").text.isEmpty)
            #expect(try await rig.technician().get("/fragments/alert").text.isEmpty, "for nobody else either")
            #expect(try await visitor.get("/alerts").text.contains("BA 1 CHA 1234"))
            #expect(try await visitor.call("/api/alerts/later", ["id": "violation/nothing"]).status == 409)
            rig.clock.advance(.minutes(5))
            #expect(try await visitor.get("/fragments/alert").text.contains(id), "it was put off, and comes again")
            #expect(try await visitor.call("/api/alerts/seen", ["id": id]).status == 200)
            rig.clock.advance(.minutes(30))
            #expect(try await visitor.get("/fragments/alert").text.isEmpty)
            #expect(try await visitor.get("/alerts").text.contains("seen by ram"))
            #expect(try await visitor.call("/api/alerts/unseen", ["id": id]).status == 200)
            #expect(try await visitor.get("/fragments/alert").text.contains(id), "taken back with one touch")
        }
    }

    @Test func `is not alerted of the park's own vehicles; of others until somebody has seen them`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.store.exemptPlates.add(Plate(canonical: "BA 1 JHA 1"), reason: "park", at: rig.clock.now)
            try rig.violation("BA 1 JHA 1")
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).isEmpty)
            try rig.violation("BA 1 CHA 2")
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).count == 1)
            #expect(try rig.console.alerts.sounding(at: rig.clock.now + .hours(25)).count == 1, "unseen")
            #expect(try rig.console.alerts.sounding(at: rig.clock.now + .hours(32 * 24)).isEmpty)
        }
    }

    @Test func `has a vehicle that came out at the other post in the list, without a sound`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation("BA 1 CHA 7", isExitHere: false)
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).isEmpty)
            let alert = try #require(try await visitor.get("/api/alerts").list.first)
            #expect(alert["id"] as? String == "violation/\(violation.id.uuidString.lowercased())")
            #expect(alert["is_here"] as? Bool == false && alert["standing"] as? String == "at BNP-A")
            #expect(alert["entry_post"] as? String == "BNP-B" && alert["exit_post"] as? String == "BNP-A")
            #expect(try await visitor.get("/fragments/alert").text.isEmpty)
        }
    }

    @Test func `takes no outcome of a violation that was withdrawn while the form was open`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation()
            let corrected = try await visitor.call(
                "/api/passages/correct",
                ["id": violation.exitClientID.uuidString.lowercased(), "plate": "BA 1 CHA 9", "reason": "misread"])
            #expect(corrected.status == 200)
            let refused = try await visitor.call(
                "/api/outcomes", ["violation_id": violation.id.uuidString, "kind": "fined", "fine_amount": "500"])
            #expect(refused.status == 409)
            #expect(try rig.store.violations.outcomes(ofViolation: violation.id).isEmpty)
        }
    }

    @Test func `counts a vehicle once that stayed too long and came out late`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let entry = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 3 KHA 6"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now - .hours(6), clockState: .simulated, origin: .manual
            )
            try rig.store.passages.record(entry, at: rig.clock.now)
            _ = try rig.store.alerts.raise(
                [
                    OverstayAlert(
                        entryClientID: entry.clientID, plate: entry.plate, vehicleType: .car,
                        entryTime: entry.recordedAt, expectedExitBy: rig.clock.now - .hours(1), isDoubtful: false)
                ], at: rig.clock.now)
            func overstays() async throws -> Int? {
                (try await visitor.get("/api/status").object["today"] as? [String: Any])?["overstay"] as? Int
            }
            #expect(try await overstays() == 1)
            let exit = MatchablePassage(
                clientID: UUID(), plate: entry.plate, vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .minutes(1), clockState: .simulated)
            try rig.store.otherPost.upsert([exit], at: rig.clock.now)
            let match = Match(MatchablePassage(entry), exit, certainty: .exact)
            let segment = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
            _ = try rig.store.matches.save(
                match, violation: Violation(match, on: segment, id: UUID()), at: rig.clock.now)
            #expect(try await overstays() == 1)
        }
    }

    @Test func `keeps the alert that is shown, and counts the newer ones`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let first = try rig.violation("BA 1 CHA 1")
            rig.clock.advance(.minutes(1))
            try rig.violation("BA 1 CHA 2")
            #expect(try await visitor.get("/fragments/alert").text.contains("BA 1 CHA 2"))
            let shown = "violation%2F" + first.id.uuidString.lowercased()
            let kept = try await visitor.get("/fragments/alert?shown=" + shown).text
            #expect(kept.contains("BA 1 CHA 1") && kept.contains("+1 more"))
            let id = "violation/" + first.id.uuidString.lowercased()
            #expect(try await visitor.call("/api/alerts/later", ["id": id]).status == 200)
            let next = try await visitor.get("/fragments/alert?shown=" + shown).text
            #expect(next.contains("BA 1 CHA 2") && !next.contains("+1"))
        }
    }
}
