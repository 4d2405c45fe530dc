import Enforcement
import Foundation
import Notices
import Paper
import Storage
import TestKit
import Testing

@testable import Console

@Suite("A notice to hand over", .serialized, .timeLimit(.minutes(10)))
struct NoticeTests {
    @Test func `says in both languages what was measured, how, and what was decided`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation(minutes: 40, toleranceKmh: 3)
            let photo = try SamplePicture.drive()
            try rig.console.otherPictures.keep(photo, of: violation.entryClientID)
            let visitor = try await rig.ranger()
            _ = try await visitor.post(
                "/do/outcomes",
                ["violation_id": "\(violation.id)", "kind": "fined", "fine_amount": "1500", "seen": "0"])
            let answer = try await visitor.get("/notice?violation=\(violation.id)")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/pdf")
            let number = Notice.number(of: violation, exitPost: "BNP-B")
            #expect(answer.headers["content-disposition"] == "attachment; filename=\"\(number).pdf\"")
            #expect(answer.body.range(of: photo) != nil, "the picture as the camera gave it")
            let pages = try PaperReader.pages(of: answer.body)
            #expect(pages.count == 2, "\(pages.count) pages")
            for part in [
                number, "BA 1 CHA 1234", "Entry BNP-A", "11:19:00", "Exit BNP-B", "11:59:00", "2026-11-21",
                "2083-08-05",
                "45 km × 3600 ÷ 2400 s = 67.5 km/h", "at most 40 km/h", "tolerance of 3 km/h faster than 43 km/h",
                "took 40 min. At least 1 h 2 min 47 s", "Fined, Rs 1500", "Ram Thapa", "provisional",
            ] { #expect(pages.first?.contains(part) == true, "\(part): \(pages)") }
            for part in [number, "११:५९:००", "२०८३-०८-०५", "४५", "१५००"] {
                #expect(pages.last?.contains(part) == true, "\(part): \(pages)")
            }
        }
    }

    @Test func `begins with the reader's own language, and says where a picture is missing`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation(kind: .overstay, minutes: 400)
            let visitor = try await rig.ranger()
            visitor.cookies["checkpost_language"] = "ne"
            let pages = try PaperReader.pages(of: try await visitor.get("/notice?violation=\(violation.id)").body)
            #expect(pages.count == 2 && pages[0].contains("BNP-A") && pages[0].contains("११:५९:००"))
            #expect(pages[1].contains("At most 4 h 30 min is lawful") && pages[1].contains("No picture"))
            #expect(pages[1].contains("not decided yet"))
        }
    }

    @Test func `is for people who are signed in, and of a violation that holds`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            #expect(try await rig.visitor().get("/notice?violation=\(violation.id)").status == 303)
            let visitor = try await rig.ranger()
            for id in ["", "nonsense", "\(UUID())"] {
                #expect(try await visitor.get("/notice?violation=\(id)").status == 404, "\(id)")
            }
            _ = try await visitor.get("/")
            let withdrawal = ["id": "\(violation.exitClientID)", "reason": "There was no vehicle"]
            #expect(try await visitor.post("/do/passages/withdraw", withdrawal).status == 303)
            let answer = try await visitor.get("/notice?violation=\(violation.id)")
            #expect(answer.status == 409 && !answer.text.contains("%PDF"))
        }
    }

    @Test func `has one number, wherever it is printed`() throws {
        let instant = try #require(Instant(iso8601: "2026-11-21T18:20:00Z"))
        let entry = try #require(UUID(uuidString: "0A1B2C3D-0000-4000-8000-000000000000"))
        func violation() -> Violation {
            Violation(
                id: UUID(), kind: .speeding, entryClientID: entry, exitClientID: UUID(),
                plate: Plate(canonical: "BA 1 CHA 1"), vehicleType: .car, entryTime: instant - .minutes(40),
                exitTime: instant, distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: 67.5, isImplausible: false,
                state: .provisional)
        }
        // Two ids of one violation: this box's, and the server's. It is past midnight in Nepal.
        #expect(Notice.number(of: violation(), exitPost: "BNP-B") == "BNP-B-20261122-0A1B2C3D")
        #expect(Notice.number(of: violation(), exitPost: "BNP-B") == Notice.number(of: violation(), exitPost: "BNP-B"))
    }
}
