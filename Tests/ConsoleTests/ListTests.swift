import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("Lists that people keep", .serialized, .timeLimit(.minutes(10)))
struct ListTests {
    @Test(arguments: ["wanted", "exempt"])
    func `take no part of a plate: it would find no vehicle`(list: String) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            for part in ["1001", "१००१", "BA", "बा"] {
                let refused = try await visitor.post("/do/\(list)/add", ["plate": part, "reason": "Stolen"])
                #expect(refused.status == 422 && refused.text.contains("That is a part of a plate"), "\(part)")
                #expect(refused.text.contains("value=\"\(part)\""), "what was typed stands there")
            }
            #expect(try rig.store.wantedPlates.list().isEmpty && rig.store.exemptPlates.list().isEmpty)
        }
    }

    @Test func `make an alert of its own when a plate that is watched for passes, until somebody has seen it`()
        async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            // Before it stands on the list it is a vehicle like any other.
            try rig.passage("BA 1 CHA 7777")
            #expect(
                try await visitor.post("/do/wanted/add", ["plate": "बा १ च ७७७७", "reason": "Stolen"]).location
                    == "/wanted?said=listed")
            #expect(try await visitor.get("/api/alerts").list.isEmpty)
            rig.clock.advance(.minutes(1))
            let passage = try rig.passage("BA 1 CHA 7777")
            try rig.passage("BA 1 CHA 7778")
            let alerts = try await visitor.get("/api/alerts").list
            #expect(alerts.count == 1 && alerts.first?["kind"] as? String == "wanted")
            #expect(alerts.first?["title"] as? String == "WANTED" && alerts.first?["advice"] as? String == "Stolen")
            let page = try await visitor.get("/").text
            #expect(page.contains("data-finding=\"wanted\"") && page.contains("sound-wanted"))
            #expect(try await visitor.get("/sounds/wanted.wav").body.count > 10_000)
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).count == 1)
            let id = "wanted/\(passage.uuidString.lowercased())"
            #expect(try await visitor.post("/do/alerts/seen", ["id": id]).status == 303)
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).isEmpty)
            // It comes again with the next passage, and not when it is off the list.
            rig.clock.advance(.minutes(1))
            try rig.passage("BA 1 CHA 7777")
            #expect(try rig.console.alerts.sounding(at: rig.clock.now).count == 1)
            #expect(try await visitor.get("/wanted").text.contains("Stolen"))
            #expect(try await visitor.post("/do/wanted/remove", ["plate": "BA 1 CHA 7777"]).status == 303)
            #expect(try rig.console.alerts.open(at: rig.clock.now).isEmpty)
        }
    }

    @Test func `keep what was typed when it is refused, and say why`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let long = String(repeating: "r", count: 61)
            for (plate, reason) in [("BA 1 CHA 1", ""), ("BA 1 CHA 1", long), ("##", "Stolen")] {
                let answer = try await visitor.post("/do/wanted/add", ["plate": plate, "reason": reason])
                #expect(answer.status == 422 && answer.text.contains("role=\"alert\""), "\(plate) \(reason)")
                #expect(answer.text.contains("value=\"\(plate)\""), "what was typed is there")
            }
            #expect(try await visitor.post("/do/wanted/remove", ["plate": "BA 1 CHA 1"]).status == 409)
            for number in 0..<WantedPlateTable.most {
                try rig.store.wantedPlates.add(
                    Plate(canonical: "BA 1 CHA \(number + 1)"), reason: "r", by: "ram", at: rig.clock.now)
            }
            let full = try await visitor.post("/do/wanted/add", ["plate": "BA 2 CHA 1", "reason": "r"])
            #expect(full.status == 409 && full.text.contains("At most 500"))
            #expect(try await visitor.post("/do/wanted/add", ["plate": "BA 1 CHA 1", "reason": "new"]).status == 303)
        }
    }

    @Test func `of exempt vehicles and of users are the technician's`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let ranger = try await rig.ranger()
            for path in ["/exempt", "/users"] { #expect(try await ranger.get(path).status == 403) }
            _ = try await ranger.get("/")
            #expect(
                try await ranger.post("/do/exempt/add", ["plate": "BA 1 JHA 1", "reason": "Ambulance"]).status == 403)
            #expect(try await ranger.post("/do/users/remove", ["name": "tek"]).status == 403)
            let technician = try await rig.technician()
            _ = try await technician.get("/exempt")
            #expect(
                try await technician.post("/do/exempt/add", ["plate": "BA 1 JHA 1", "reason": "Ambulance"]).status
                    == 303)
            #expect(try rig.store.exemptPlates.list().map(\.reason) == ["Ambulance"])
            #expect(try await technician.get("/exempt").text.contains("BA 1 JHA 1"))
            #expect(try await technician.post("/do/exempt/remove", ["plate": "BA 1 JHA 1"]).status == 303)
            #expect(try rig.store.exemptPlates.list().isEmpty)
        }
    }

    @Test func `hold what the park's office lists, which only the office takes off`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.store.listedPlates.replace([
                ListedPlate(
                    kind: .wanted, plate: Plate(canonical: "BA 1 CHA 7777"), reason: "Poacher", listedAt: rig.clock.now)
            ])
            rig.clock.advance(.minutes(1))
            try rig.passage("BA 1 CHA 7777")
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/wanted").text
            #expect(page.contains("Poacher") && page.contains("the park&#39;s office"), "\(page)")
            #expect(!page.contains("/do/wanted/remove"))
            #expect(try await visitor.get("/").text.contains("data-finding=\"wanted\""))
            let refused = try await visitor.post("/do/wanted/remove", ["plate": "BA 1 CHA 7777"])
            #expect(refused.status == 409 && refused.text.contains("it is taken off the list there"))
        }
    }

    @Test func `let a technician make, change and remove users, and nobody themselves`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let technician = try await rig.technician()
            _ = try await technician.get("/users")
            func add(_ fields: [String: String]) async throws -> Int {
                let all = ["name": "hari", "role": "ranger", "password": "long-enough-1"].merging(fields) { $1 }
                let answer = try await technician.post("/do/users/add", all)
                #expect(!answer.text.contains("long-enough-1"), "a password is never shown")
                return answer.status
            }
            for wrong in [
                ["name": "Hari Ram"], ["password": "short"], ["pin": "1111"], ["role": "king"], ["name": "ram"],
            ] {
                #expect(try await add(wrong) >= 400, "\(wrong)")
            }
            #expect(try rig.store.accounts.user("hari") == nil)
            #expect(try await add(["pin": "2580", "full_name": "Hari Ram"]) == 303)
            #expect(try await rig.ranger("hari", "long-enough-1").get("/").status == 200)
            #expect(
                try await technician.post("/do/users/secret", ["name": "hari", "password": "another-one-2"]).status
                    == 303)
            let hari = try await rig.ranger("hari", "another-one-2")
            #expect(try await hari.get("/").status == 200)
            #expect(try await technician.post("/do/users/remove", ["name": "tek"]).status == 409)
            #expect(try await technician.post("/do/users/remove", ["name": "hari"]).status == 303)
            #expect(try await hari.get("/").status == 303, "signed out")
            #expect(try await technician.post("/do/users/remove", ["name": "hari"]).status == 409)
        }
    }

    @Test func `of a plate's earlier violations stand on its alert and its page`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let first = try rig.violation("BA 1 CHA 9")
            try rig.console.ranger.recordOutcome(
                of: first.id, .fined, fine: "700", notes: nil, seen: "0", by: "ram")
            rig.clock.advance(.hours(5))
            try rig.violation("BA 1 CHA 10")
            let second = try rig.violation("BA 1 CHA 9")
            let visitor = try await rig.ranger()
            let alerts = try await visitor.get("/api/alerts").list
            let mine = try #require(alerts.first { $0["plate"] as? String == "BA 1 CHA 9" })
            #expect((mine["earlier"] as? String)?.hasPrefix("Earlier violations: 1, the last ") == true, "\(mine)")
            #expect(alerts.first { $0["plate"] as? String == "BA 1 CHA 10" }?["earlier"] == nil)
            let page = try await visitor.get("/outcome?violation=\(second.id)").text
            #expect(page.contains("Fined Rs 700") && page.contains(first.id.uuidString.lowercased()))
            #expect(
                !(try await visitor.get("/outcome?violation=\(first.id)").text.contains(
                    "Earlier violations of this plate")))
        }
    }
}
