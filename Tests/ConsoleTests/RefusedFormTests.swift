import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A form that is refused", .serialized, .timeLimit(.minutes(10)))
struct RefusedFormTests {
    private func passage(_ rig: Rig) throws -> String {
        try rig.violation("BA 1 CHA 1234").exitClientID.uuidString.lowercased()
    }

    @Test func `comes back as the review that it was, with what was typed and the reason`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 2 KHA 77")
            try rig.doubtful("BA 2 KHA 78", number: 2)
            let answer = try await visitor.post(
                "/do/reviews/submit", ["id": id, "plate": "--?--", "vehicle_type": "bus"])
            #expect(answer.status == 422)
            #expect(answer.text.contains("value=\"--?--\"") && answer.text.contains("A plate has no “?”"))
            #expect(answer.text.contains("value=\"bus\" checked"))
            #expect(answer.text.contains("data-place=\"/review?id="), "where a reload leads")
            #expect(try rig.store.sightings.list(in: .review).count == 2)
        }
    }

    @Test func `comes back as the correction that it was, with the reason beside its field`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try passage(rig)
            let same = try await visitor.post(
                "/do/passages/correct", ["id": id, "plate": "ba1cha1234", "reason": "misread, I think"])
            #expect(same.status == 409 && same.text.contains("has that plate already"))
            #expect(same.text.contains("value=\"ba1cha1234\"") && same.text.contains("value=\"misread, I think\""))
            let mute = try await visitor.post("/do/passages/correct", ["id": id, "plate": "BA 1 CHA 9", "reason": " "])
            #expect(mute.status == 422 && mute.text.contains("value=\"BA 1 CHA 9\""))
            let (field, reason) = (mute.text.range(of: "name=\"reason\""), mute.text.range(of: "Give a reason."))
            #expect(try #require(field).upperBound < #require(reason).lowerBound, "below the field that it is about")
            let withdrawn = try await visitor.post("/do/passages/withdraw", ["id": id, "reason": ""])
            #expect(withdrawn.status == 422 && withdrawn.text.contains("Give a reason."))
            #expect(try rig.store.passages.corrections(ofPassage: #require(UUID(uuidString: id))).isEmpty)
        }
    }

    @Test func `of a wrong plate stands above what is known of the passage`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/passage?id=\(try passage(rig))&correct=1").text
            let (form, facts) = (
                page.range(of: "/do/passages/correct"), page.range(of: "<dl class=\"facts\">\n<div><dt>Time")
            )
            #expect(try #require(form).upperBound < #require(facts).lowerBound)
        }
    }

    @Test func `comes back as the overstay that it was`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.overstay("BA 3 KHA 5")
            let long = String(repeating: "because ", count: 40)
            let answer = try await visitor.post("/do/overstays/dismiss", ["id": "\(id)", "reason": long])
            #expect(
                answer.status == 422 && answer.text.contains("BA 3 KHA 5") && answer.text.contains("Give a reason."))
            #expect(answer.text.contains("because because"))
        }
    }

    @Test func `and can't be mended leads back to where it was sent from`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let answer = try await visitor.send(
                "POST", "/do/reviews/discard",
                headers: [
                    "Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded",
                    "Referer": "http://127.0.0.1/review?id=gate%2F7",
                ], body: Data("form_token=\(visitor.formToken)&id=gate%2F7".utf8))
            #expect(answer.status == 409 && answer.text.contains("href=\"/review?id=gate%2F7\""), "\(answer.text)")
        }
    }
}

@Suite("What was done", .serialized, .timeLimit(.minutes(10)))
struct DoneTests {
    @Test func `says which vehicle was recorded, and is taken back with one touch`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 2 KHA 77")
            let next = try #require(
                try await visitor.post("/do/reviews/submit", ["id": id, "plate": "BA 2 KHA 71"]).location)
            let page = try await visitor.get(next).text
            #expect(page.contains("BA 2 KHA 71 is recorded.") && page.contains("action=\"/do/reviews/undo\""))
            let undone = try await visitor.post("/do/reviews/undo", ["id": id])
            #expect(undone.status == 303)
            #expect(try await visitor.get(try #require(undone.location)).text.contains("waits for review again"))
            #expect(try rig.store.sightings.list(in: .review).map(\.sighting.id) == [id])
            let passages = try rig.store.passages.list(PassageFilter(includesWithdrawn: true))
            #expect(passages.count == 1 && passages[0].withdrawnAt != nil, "it stays on record, as withdrawn")
            #expect(try await visitor.call("/api/reviews/undo", ["id": id]).status == 409, "once")
            #expect(try await visitor.call("/api/reviews/submit", ["id": id, "plate": "BA 2 KHA 77"]).status == 200)
            rig.clock.advance(.minutes(61))
            #expect(try await visitor.call("/api/reviews/undo", ["id": id]).status == 409, "not for ever")
        }
    }

    @Test func `leaves the camera's passage when its confirmation is taken back`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA 4036"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now, clockState: .simulated, origin: .camera)
            try rig.store.passages.record(passage, at: rig.clock.now)
            let id = try #require(try await visitor.call("/api/record", [:]).object["id"] as? String)
            let confirmed = try await visitor.post(
                "/do/reviews/confirm", ["id": id, "passage": passage.clientID.uuidString])
            #expect(
                try await visitor.get(try #require(confirmed.location)).text.contains(
                    "BA 1 PA 4036 is on record already"))
            #expect(try await visitor.call("/api/reviews/undo", ["id": id]).status == 200)
            #expect(try rig.store.passages.passage(clientID: passage.clientID)?.withdrawnAt == nil)
            #expect(try rig.store.sightings.sighting(id: id)?.state == .review)
        }
    }

    @Test func `to an alert stands under Alerts for a day, and says what it was`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.violation().id.uuidString.lowercased()
            let saved = try await visitor.post(
                "/do/outcomes", ["violation_id": id, "kind": "fined", "fine_amount": "500.", "seen": "0"])
            let page = try await visitor.get(try #require(saved.location)).text
            #expect(page.contains("BA 1 CHA 1234: Fined Rs 500.") && page.contains("/outcome?violation=\(id)"))
            let alerts = try await visitor.get("/alerts").text
            #expect(alerts.contains("Done in the last 24 hours") && alerts.contains("Fined Rs 500"))
            #expect(alerts.contains("href=\"/outcome?violation=\(id)\""), "two touches change it")
            rig.clock.advance(.hours(10))
            _ = try await visitor.get("/")
            rig.clock.advance(.hours(10))
            _ = try await visitor.get("/")
            rig.clock.advance(.hours(4))
            #expect(try await visitor.get("/alerts").text.contains("Fined") == false)
        }
    }

    @Test func `drops no sum that was typed`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation()
            let answer = try await visitor.post(
                "/do/outcomes",
                ["violation_id": violation.id.uuidString, "kind": "warned", "fine_amount": "500", "seen": "0"])
            #expect(answer.status == 422 && answer.text.contains("the outcome isn&#39;t Fined"), "\(answer.text)")
            #expect(answer.text.contains("value=\"500\"") && answer.text.contains("value=\"warned\" required checked"))
            #expect(try rig.store.violations.outcomes(ofViolation: violation.id).isEmpty)
        }
    }

    @Test func `of a violation that was taken back says so`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation()
            try rig.store.passages.withdraw(
                clientID: violation.exitClientID, reason: "none", by: "ram", at: rig.clock.now)
            let page = try await visitor.get("/outcome?violation=\(violation.id.uuidString.lowercased())").text
            #expect(page.contains("· withdrawn") && !page.contains("provisional"))
        }
    }
}

@Suite("A long list of what waits", .serialized, .timeLimit(.minutes(10)))
struct WaitingTests {
    @Test func `is walked to its end by SKIP and by ALL, and has one number everywhere`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for number in 1...300 {
                try rig.doubtful("BA 2 KHA \(number)", number: number)
                rig.clock.advance(.seconds(1))
            }
            var path: String? = "/review"
            var seen = Set<String>()
            while let next = path, seen.count < 301 {
                let page = try await visitor.get(next).text
                let id = try #require(page.firstMatch(of: /name="id" value="([^"]+)"/)?.1)
                guard seen.insert(String(id)).inserted else { break }
                #expect(page.contains("300 waiting"))
                path = page.firstMatch(of: /href="(\/review\?id=[^"]+)" ?>SKIP|id="skip" href="([^"]+)"/).flatMap {
                    $0.2 ?? $0.1
                }
                .map { String($0) }
            }
            #expect(seen.count == 300)
            var listed = Set<String>()
            path = "/reviews"
            while let next = path {
                let page = try await visitor.get(next).text
                listed.formUnion(page.matches(of: /class="card" href="([^"]+)"/).map { String($0.1) })
                path = page.firstMatch(of: /href="(\/reviews\?offset=[0-9]+)"/).map { String($0.1) }
            }
            #expect(listed.count == 300)
            #expect(try await visitor.get("/").text.contains("<dd>300</dd><dt>to review"))
            #expect(try await visitor.get("/api/counts").object["review_count"] as? Int == 300)
            #expect(try await visitor.get("/api/reviews?limit=500").list.count == 300)
        }
    }

    @Test func `has vehicles whose plate was seen and not read: a ranger types it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let frame = FrameReference(
                sha256: String(repeating: "a", count: 64), camera: "gate", recordedAt: rig.clock.now - .minutes(2),
                clockState: .simulated)
            let sighting = Sighting(
                number: 1, camera: "gate", firstSeenAt: frame.recordedAt, lastSeenAt: frame.recordedAt, frameCount: 4,
                bestFrame: frame,
                reading: .unread(
                    at: Box(x: 10, y: 10, width: 80, height: 20), look: .init(score: 0.9, isPlate: true)))
            try rig.store.frames.commit(FrameCommit(camera: "gate", reviews: [sighting], at: rig.clock.now))
            #expect(try await visitor.get("/reviews").text.contains(">Not read<"))
            #expect(try await visitor.get("/review").text.contains("autofocus"))
            #expect(try await visitor.call("/api/reviews/submit", ["id": sighting.id]).status != 200)
            #expect(
                try await visitor.call("/api/reviews/submit", ["id": sighting.id, "plate": "BA 1 PA 4"]).status == 200)
            let passage = try #require(try rig.store.passages.list(limit: 5).first).passage
            #expect(passage.plate.canonical == "BA 1 PA 4" && passage.origin == .review)
            #expect(passage.recordedAt == frame.recordedAt)
        }
    }
}
