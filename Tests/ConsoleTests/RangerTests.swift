import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A ranger at the console", .serialized, .timeLimit(.minutes(10)))
struct RangerTests {
    private let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data("a picture".utf8)

    private func frame(_ rig: Rig) -> Frame {
        Frame(picture: picture, recordedAt: rig.clock.now - .seconds(2), clockState: .simulated, camera: "gate")
    }

    private func reading(_ plate: String) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: plate), raw: plate, confidence: 0.6, box: Box(x: 5, y: 5, width: 50, height: 10),
            format: "np-zonal", candidates: [], characters: [])
    }

    @Test func `records the vehicle in front of the camera in two requests`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            rig.live.show(
                frame(rig), width: 640, height: 480, plates: [reading("BA 1 PA 4036")], arrivedAt: rig.clock.now)
            let pressed = try await visitor.post("/do/record", [:])
            let page = try await visitor.get(try #require(pressed.location))
            #expect(page.text.contains("value=\"BA 1 PA 4036\""))
            let id = try #require(try rig.store.sightings.list(in: .review).first?.sighting.id)
            #expect(try await visitor.post("/do/reviews/submit", ["id": id, "plate": "BA 1 PA 4036"]).status == 303)
            let passage = try #require(try rig.store.passages.list().first?.passage)
            #expect(passage.plate.compact == "BA1PA4036")
            #expect(passage.vehicleType == .motorcycle, "the class letter PA says so")
            #expect(passage.origin == .manual)
            #expect(passage.actedBy == "ram")
            #expect(passage.recordedAt == frame(rig).recordedAt, "the frame's time, not the button's")
            let photo = try await visitor.get("/photos/\(try #require(passage.photoSHA256))")
            #expect(photo.body == picture)
            #expect(try rig.store.queue.counts()[.pending] == 1)
        }
    }

    @Test func `records a vehicle without any camera`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            rig.clock.advance(.minutes(3))
            let answer = try await visitor.call("/api/reviews/submit", ["id": id, "plate": "बा १ च १२३४"])
            #expect(answer.object["plate"] as? String == "BA 1 CHA 1234")
            let passage = try #require(try rig.store.passages.list().first?.passage)
            #expect(passage.photoSHA256 == nil)
            #expect(passage.recordedAt == rig.clock.now - .minutes(3))
        }
    }

    @Test func `is not given a picture of long ago`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            rig.live.show(
                frame(rig), width: 640, height: 480, plates: [reading("OLD 1")], arrivedAt: rig.clock.now)
            rig.clock.advance(.minutes(10))
            let live = try await visitor.get("/api/live").object
            #expect(live["is_old"] as? Bool == true)
            #expect(live["age_text"] as? String == "10 min")
            _ = try await visitor.call("/api/record", [:])
            #expect(try rig.store.sightings.list(in: .review).first?.hasPhoto == false)
        }
    }

    @Test func `can leave out a picture that shows another vehicle`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            rig.live.show(frame(rig), width: 640, height: 480, plates: [], arrivedAt: rig.clock.now)
            let id = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            _ = try await visitor.call(
                "/api/reviews/submit", ["id": id, "plate": "G AD 2957", "without_picture": "1", "vehicle_type": "bus"])
            let passage = try #require(try rig.store.passages.list().first?.passage)
            #expect(passage.photoSHA256 == nil)
            #expect(passage.vehicleType == .bus)
            #expect(passage.recordedAt == rig.clock.now)
        }
    }

    @Test func `finds what waits after a restart`() async throws {
        let rig = try await Rig()
        let visitor = try await rig.ranger()
        _ = try await visitor.call("/api/record", [:])
        try rig.doubtful("BA 2 KHA 77", number: 3)
        let violation = try rig.violation()
        await rig.stop(keepingFolder: true)
        let again = try await Rig(folder: rig.folder)
        let later = again.visitor()
        later.cookies = visitor.cookies
        #expect(try await later.get("/api/reviews").list.count == 2, "the session holds too")
        #expect(
            try await later.get("/api/alerts").list.first?["violation_id"] as? String
                == violation.id.uuidString.lowercased())
        #expect(
            try await later.get("/").text.contains("data-alert=\"violation/\(violation.id.uuidString.lowercased())\""))
        await again.stop()
    }

    @Test func `decides a doubtful sighting once, whoever is faster`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let one = try await rig.ranger()
            let other = try await rig.technician()
            let id = try rig.doubtful("BA 2 KHA 77")
            #expect(try await one.call("/api/reviews/submit", ["id": id, "plate": "BA 2 KHA 71"]).status == 200)
            #expect(try await other.call("/api/reviews/discard", ["id": id]).status == 409)
            #expect(try await other.call("/api/reviews/submit", ["id": id, "plate": "BA 2 KHA 77"]).status == 409)
            let passage = try #require(try rig.store.passages.list().first?.passage)
            #expect(try rig.store.passages.list().count == 1)
            #expect(passage.origin == .review)
            #expect(passage.confidence == nil, "a plate that a person changed has no machine's confidence")
            #expect(passage.recordedAt == rig.clock.now - .minutes(2))
            let second = try rig.doubtful("XX", number: 2)
            #expect(try await one.call("/api/reviews/discard", ["id": second]).status == 200)
            #expect(try rig.store.sightings.list(in: .review).isEmpty)
        }
    }

    @Test func `is told in the page's language, and without names that only the box knows`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let other = try await rig.technician()
            let id = try rig.doubtful("BA 2 KHA 77")
            let waits = try rig.doubtful("BA 2 KHA 7", number: 2)
            #expect(try await other.call("/api/reviews/discard", ["id": id]).status == 200)
            for (language, gone, long) in [
                ("en", "tek was faster: it was discarded", "at most 16 letters"),
                ("ne", "tek छिटो हुनुभयो", "बढीमा १६ अक्षर"),
            ] {
                _ = try await visitor.post("/language", ["language": language])
                for path in ["submit", "discard"] {
                    let answer = try await visitor.post("/do/reviews/\(path)", ["id": id, "plate": "BA 2 KHA 77"])
                    #expect(answer.status == 303, "\(answer.text)")
                    let page = try await visitor.get(answer.location ?? "")
                    #expect(page.text.contains(gone) && !page.text.contains("never was there"), "\(page.text)")
                }
                let again = try await visitor.post(
                    "/do/reviews/submit", ["id": waits, "plate": "BA 2 KHA 123456789012345"])
                #expect(again.status == 422 && again.text.contains(long), "\(again.text)")
            }
            // A program gets the words and the rest.
            let answer = try await visitor.call("/api/reviews/discard", ["id": id])
            #expect((answer.object["detail"] as? String)?.contains(id) == true, "\(answer.object)")
        }
    }

    @Test func `is told what is wrong with what was typed`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 2 KHA 77")
            for (plate, error) in [
                ("", "error_plate"), ("   ", "error_plate"), ("---", "error_plate"),
                (String(repeating: "A", count: 50), "error_plate_long"), ("BA 1 #", "error_plate_stranger"),
            ] {
                let answer = try await visitor.call("/api/reviews/submit", ["id": id, "plate": plate])
                #expect(answer.status == 422)
                #expect(answer.object["error"] as? String == error, "\(plate): \(answer.object)")
            }
            #expect(
                try await visitor.call("/api/reviews/submit", ["id": id, "plate": "BA 1", "vehicle_type": "ufo"]).status
                    == 422)
            #expect(
                try await visitor.call("/api/passages/correct", ["id": "x", "plate": "BA 1", "reason": "r"]).status
                    == 422)
            #expect(try await visitor.get("/api/plate?text=ba1cha1234").object["plate"] as? String == "BA 1 CHA 1234")
            #expect(
                try await visitor.send(
                    "POST", "/api/outcomes",
                    headers: ["Content-Type": "application/json", "X-Form-Token": visitor.formToken],
                    body: Data("[1".utf8)
                ).status == 400)
        }
    }

    @Test func `records an outcome and can change it for a day`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation(kind: .overstay, minutes: 300)
            #expect(violation.kind == .overstay)
            let id = violation.id.uuidString
            #expect(try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "fined"]).status == 422)
            #expect(
                try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "fined", "fine_amount": "-5"])
                    .status == 422)
            #expect(try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "hanged"]).status == 422)
            #expect(
                try await visitor.call(
                    "/api/outcomes", ["violation_id": id, "kind": "fined", "fine_amount": "1,500.5"]
                ).status == 200)
            let csv = try await visitor.get("/history.csv").text
            #expect(csv.contains(",9,fined,1500.5\r\n") && csv.contains(",speed_kmh,outcome,fine\r\n"), "\(csv)")
            #expect(try await visitor.get("/fragments/alert").text.isEmpty)
            rig.clock.advance(.hours(11))
            #expect(try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "let_go"]).status == 200)
            #expect(try rig.store.violations.outcomes(ofViolation: violation.id).map(\.kind) == [.letGo, .fined])
            #expect(try rig.store.violations.outcomes(ofViolation: violation.id).last?.fineAmount == 1500.5)
            #expect(
                try rig.store.queue.entries().filter { $0.entity == .outcome }.count == 2,
                "each syncs as its own record")
            rig.clock.advance(.hours(8))
            _ = try await visitor.get("/")
            // A millisecond before the day is over, and when it is.
            rig.clock.advance(.milliseconds(5 * 3_600_000 - 1))
            #expect(try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "warned"]).status == 200)
            rig.clock.advance(.milliseconds(1))
            #expect(try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "let_go"]).status == 409)
            #expect(try rig.store.violations.outcomes(ofViolation: violation.id).count == 3)
            #expect(try await visitor.get("/outcome?violation=\(id)").text.contains("be changed any more"))
        }
    }

    @Test func `leaves a passage alone whose violation has an outcome, and is told who decides`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation("BA 1 CHA 1234")
            let id = violation.exitClientID.uuidString.lowercased()
            let warned = ["violation_id": violation.id.uuidString, "kind": "warned"]
            #expect(try await visitor.call("/api/outcomes", warned).status == 200)
            for (path, fields) in [
                ("withdraw", ["id": id, "reason": "a shadow"]),
                ("correct", ["id": id, "plate": "BA 1 CHA 1284", "reason": "3 was 8"]),
            ] {
                let answer = try await visitor.call("/api/passages/\(path)", fields)
                #expect(answer.status == 409 && answer.object["error"] as? String == "error_has_outcome", "\(path)")
            }
            let stored = try #require(try rig.store.passages.passage(clientID: violation.exitClientID))
            #expect(stored.withdrawnAt == nil && stored.passage.plate.canonical == "BA 1 CHA 1234")
            #expect(try rig.store.violations.violation(id: violation.id)?.violation.state != .withdrawn)
            #expect(try rig.store.queue.entries().allSatisfy { $0.entity != .correction })
        }
    }

    @Test func `finds a passage by part of its plate, corrects it and withdraws it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation("BA 1 CHA 1234")
            #expect(try await visitor.get("/history?plate=cha12").text.contains("BA 1 CHA 1234"))
            #expect(
                try await visitor.get("/history?plate=%E0%A4%9A%E0%A5%A7%E0%A5%A8").text.contains("BA 1 CHA 1234"),
                "च१२")
            #expect(try await visitor.get("/fragments/history?plate=ZZ").text.contains("BA 1 CHA 1234") == false)
            #expect(try await visitor.get("/history?plate=8A1&alike=1").text.contains("BA 1 CHA 1234"))
            #expect(try await visitor.get("/api/passages?violation=yes").list.count == 1)
            #expect(try await visitor.get("/api/passages?violation=no").list.isEmpty)
            #expect(try await visitor.get("/api/passages?from=2026-11-21&to=2026-11-21").list.count == 1)
            #expect(try await visitor.get("/api/passages?from=2026-11-22").list.isEmpty)
            let id = violation.exitClientID.uuidString.lowercased()
            #expect(
                try await visitor.call("/api/passages/correct", ["id": id, "plate": "BA 1 CHA 1284"]).status == 422)
            #expect(
                try await visitor.call(
                    "/api/passages/correct", ["id": id, "plate": "BA 1 CHA 1284", "reason": "3 was 8"]
                ).status == 200)
            let page = try await visitor.get("/passage?id=\(id)").text
            #expect(page.contains("BA 1 CHA 1284") && page.contains("BA 1 CHA 1234 became BA 1 CHA 1284"))
            #expect(try await visitor.get("/fragments/alert").text.isEmpty, "its violation is withdrawn")
            #expect(try await visitor.call("/api/passages/withdraw", ["id": id, "reason": "a shadow"]).status == 200)
            #expect(try await visitor.call("/api/passages/withdraw", ["id": id, "reason": "again"]).status == 409)
            let csv = try await visitor.get("/history.csv").text
            #expect(csv.contains("\(id),") && csv.contains("BA 1 CHA 1284"))
        }
    }

    @Test func `dismisses an overstay with a reason`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 3 KHA 5"), plateRaw: "", vehicleType: .bus,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now - .hours(6), clockState: .simulated, origin: .manual
            )
            try rig.store.passages.record(passage, at: rig.clock.now)
            _ = try rig.store.alerts.raise(
                [
                    OverstayAlert(
                        entryClientID: passage.clientID, plate: passage.plate, vehicleType: .bus,
                        entryTime: passage.recordedAt, expectedExitBy: rig.clock.now - .hours(1), isDoubtful: true)
                ], at: rig.clock.now)
            #expect(try await visitor.get("/fragments/alert").text.contains("STILL INSIDE"))
            let page = try await visitor.get("/overstays").text
            #expect(page.contains("BA 3 KHA 5") && page.contains("doubtful"))
            let id = try #require(try rig.store.alerts.list().first?.id)
            #expect(try await visitor.call("/api/overstays/dismiss", ["id": id]).status == 422)
            #expect(
                try await visitor.call("/api/overstays/dismiss", ["id": id, "reason": "camps at the river"]).status
                    == 200)
            #expect(try rig.store.alerts.list().isEmpty)
            #expect(try await visitor.get("/fragments/alert").text.isEmpty)
        }
    }
}
