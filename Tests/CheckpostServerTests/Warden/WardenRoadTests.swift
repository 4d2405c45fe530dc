import Enforcement
import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The roads at the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenRoadTests {
    private static let road = "b0000000-0000-4000-8000-000000000002"
    private static let wanted = [
        "road": road, "distance_km": "45", "max_speed_kmh": "५०", "min_speed_kmh": "20", "tolerance_kmh": "3",
        "tolerance_percent": "0", "reason": "The new sign of the ministry",
    ]

    private static func query(_ fields: [String: String]) -> String {
        "/warden/road?" + fields.map { "\($0.key)=\($0.value.escapedForQuery)" }.joined(separator: "&")
    }

    private static func limits(_ database: TestDatabase) throws -> String? {
        try database.owner.value(
            "select concat_ws(' ', max_speed_kmh, min_speed_kmh, tolerance_kmh) from highway_segments where id = $1::uuid",
            [road])
    }

    /// The fields of the form that makes the change.
    private static func confirmed(_ page: Visitor.Answer) -> [String: String] {
        page.text.components(separatedBy: "do/roads/change").last?.matches(
            of: /type="hidden" name="([a-z_0-9]+)" value="([^"]*)"/
        ).reduce(into: [:]) { $0[String($1.output.1)] = String($1.output.2) } ?? [:]
    }

    @Test func `are shown with what vehicles are compared with, to whoever is signed in, and changed by admins alone`()
        async throws
    {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            _ = try database.addUser("audit", role: "auditor")
            try database.owner.run(
                "update highway_segments set tolerance_kmh = 3, tolerance_percent = 0 where id = $1::uuid", [Self.road])
            for name in ["a", "office", "audit"] {
                let visitor = try await server.warden(name)
                let page = try await visitor.get("/warden/roads")
                #expect(page.status == 200 && page.text.contains("BNP-A") && page.text.contains("43 km/h"), "\(name)")
                // 45 km at 43 km/h, and at 7 km/h.
                #expect(page.text.contains("1:02:47") && page.text.contains("6:25:43"), "\(name)")
                #expect(!page.text.contains("/warden/road\"") && !page.text.contains("/warden/do/"), "\(name)")
                #expect(try await visitor.get(Self.query(Self.wanted)).status == 403, "\(name)")
                let change = Self.wanted.merging(["change": UUID().uuidString]) { $1 }
                #expect(try await visitor.post("/warden/do/roads/change", change).status == 403, "\(name)")
            }
            #expect(try Self.limits(database) == "40.00 10.00 3.00")
        }
    }

    @Test func `have limits of vehicle types, which are shown, planned, kept and taken off`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let form = try await visitor.get("/warden/roads").text
            #expect(form.contains("name=\"type_truck\"") && form.contains("name=\"type_auto_rickshaw\""))
            var wanted = Self.wanted
            (wanted["max_speed_kmh"], wanted["min_speed_kmh"], wanted["tolerance_kmh"]) = ("40", "10", "3")
            (wanted["type_truck"], wanted["type_bus"], wanted["type_car"]) = ("३०", "35,5", " ")
            let page = try await visitor.get(Self.query(wanted))
            #expect(page.text.contains("<strong>Bus 35.5 km/h, Truck 30 km/h</strong>"), "\(page.text)")
            #expect(try await visitor.post("/warden/do/roads/change", Self.confirmed(page)).status == 303)
            let speeds = "select type_speeds_kmh::text from highway_segments where id = $1::uuid"
            #expect(try database.owner.value(speeds, [Self.road]) == #"{"bus": 35.5, "truck": 30}"#)
            let roads = try await visitor.get("/warden/roads").text
            #expect(
                roads.contains("Bus 35.5 km/h, Truck 30 km/h") && roads.contains("name=\"type_truck\" value=\"30\""))
            let audit = try await visitor.get("/warden/audit?subject=road").text
            #expect(
                audit.contains("Highest lawful speed by vehicle type: – → Bus 35.5 km/h, Truck 30 km/h"), "\(audit)")
            for (type, speed) in [("truck", "10"), ("truck", "201"), ("bus", "fast"), ("truck", "5")] {
                let answer = try await visitor.get(Self.query(wanted.merging(["type_" + type: speed]) { $1 }))
                #expect(answer.status == 422, "\(type) \(speed)")
                #expect(answer.text.contains("name=\"type_\(type)\" value=\"\(speed)\""), "what was typed stays")
            }
            // Taken off from a day on.
            let off = wanted.merging(["type_truck": "", "type_bus": "", "from": "2027-01-01T00:00"]) { $1 }
            let plan = try await visitor.post(
                "/warden/do/roads/change", Self.confirmed(try await visitor.get(Self.query(off))))
            #expect(plan.location == "/warden/roads?said=road_planned")
            #expect(try database.owner.value("select checkpost.make_road_plans('2027-01-02')::text") == "1")
            #expect(try database.owner.value(speeds, [Self.road]) == "{}")
        }
    }

    @Test func `have limits by hours, which are shown, kept and taken off`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            #expect(try await visitor.get("/warden/roads").text.contains("name=\"hours_from_3\""))
            var wanted = Self.wanted
            (wanted["max_speed_kmh"], wanted["min_speed_kmh"], wanted["tolerance_kmh"]) = ("40", "10", "3")
            wanted.merge([
                "hours": "1", "hours_from_1": "22:00", "hours_until_1": "05:00", "hours_kmh_1": "३०,5",
                "hours_from_4": "23:00",
                "hours_until_4": "04:00", "hours_type_4": "bus", "hours_closed_4": "1", "hours_type_2": "truck",
            ]) { $1 }
            let page = try await visitor.get(Self.query(wanted))
            #expect(
                page.text.contains("<strong>22:00-05:00 30.5 km/h, 23:00-04:00 Bus closed</strong>"), "\(page.text)")
            #expect(try await visitor.post("/warden/do/roads/change", Self.confirmed(page)).status == 303)
            let hours = "select hour_limits::text from highway_segments where id = $1::uuid"
            #expect(
                try HourLimits(json: try database.owner.value(hours, [Self.road]) ?? "")
                    == HourLimits(typed: "22:00-05:00 30.5, 23:00-04:00 bus closed"))
            let roads = try await visitor.get("/warden/roads").text
            #expect(roads.contains("name=\"hours_kmh_1\" value=\"30.5\"") && roads.contains("hours_from_5"))
            #expect(roads.contains("name=\"hours_closed_2\" value=\"1\" checked"))
            let audit = try await visitor.get("/warden/audit?subject=road").text
            #expect(audit.contains("At some hours: – → 22:00-05:00 30.5 km/h, 23:00-04:00 Bus closed"), "\(audit)")
            for (field, value) in [
                ("hours_until_1", "22:00"), ("hours_until_1", ""), ("hours_from_1", "25:00"), ("hours_kmh_1", ""),
                ("hours_kmh_1", "fast"), ("hours_kmh_4", "30"), ("hours_type_4", "lorry"), ("hours_kmh_1", "10"),
                ("hours_kmh_1", "201"),
            ] {
                let answer = try await visitor.get(Self.query(wanted.merging([field: value]) { $1 }))
                #expect(answer.status == 422 && answer.text.contains("role=\"alert\""), "\(field) \(value)")
                #expect(answer.text.contains("name=\"hours_from_4\" value=\"23:00\""), "what was typed stays")
            }
            let older = wanted.filter { !$0.key.hasPrefix("hours") }.merging(["max_speed_kmh": "41"]) { $1 }
            #expect(
                try await visitor.post(
                    "/warden/do/roads/change", Self.confirmed(try await visitor.get(Self.query(older)))
                ).status == 303)
            #expect(try database.owner.value(hours, [Self.road]) != "[]", "a form without hours takes none off")
            let off = try await visitor.get(Self.query(wanted.filter { !$0.key.hasPrefix("hours_") }))
            #expect(try await visitor.post("/warden/do/roads/change", Self.confirmed(off)).status == 303)
            #expect(try database.owner.value(hours, [Self.road]) == "[]")
        }
    }

    @Test func `take a limit of each type that the boxes know`() throws {
        let database = try TestDatabase()
        let all = TypeSpeeds(Dictionary(uniqueKeysWithValues: VehicleType.allCases.map { ($0, 30) }))
        try database.owner.run(
            "update highway_segments set type_speeds_kmh = $2::jsonb where id = $1::uuid", [Self.road, try all.json])
        let stored = try database.owner.value(
            "select type_speeds_kmh::text from highway_segments where id = $1::uuid", [Self.road])
        #expect(try TypeSpeeds(json: stored ?? "") == all)
    }

    @Test func `have a certificate of their distance, as it was typed`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let number = #"NBSM "2081\117" <&>"#
            let wanted = Self.wanted.merging(["distance_certificate": " \(number) "]) { $1 }
            let page = try await visitor.get(Self.query(wanted))
            #expect(page.text.contains("NBSM &quot;2081\\117&quot; &lt;&amp;&gt;"), "\(page.text)")
            let change = wanted.merging(["change": UUID().uuidString]) { $1 }
            #expect(try await visitor.post("/warden/do/roads/change", change).status == 303)
            let stored = "select distance_certificate from highway_segments where id = $1::uuid"
            #expect(try database.owner.value(stored, [Self.road]) == number)
            let roads = try await visitor.get("/warden/roads").text
            #expect(roads.contains("name=\"distance_certificate\" value=\"NBSM &quot;2081\\117&quot; &lt;&amp;&gt;\""))
            let audit = try await visitor.get("/warden/audit?subject=road").text
            #expect(audit.contains("Certificate of the distance: – → NBSM"), "\(audit)")
            let long = wanted.merging(["distance_certificate": String(repeating: "x", count: 101)]) { $1 }
            let refused = try await visitor.get(Self.query(long))
            #expect(refused.status == 422 && refused.text.contains("100 characters at most"), "\(refused.status)")
        }
    }

    @Test func `show what a change does before it is made, and keep who made it and why`() async throws {
        try await TestServer.run { server, database in
            try database.owner.run(
                "update highway_segments set tolerance_kmh = 0, tolerance_percent = 0 where id = $1::uuid", [Self.road])
            for hours in [1.0, 3, 4] {
                try database.owner.record(
                    "BA1PA000\(Int(hours))", at: TestDatabase.postA, TestDatabase.hoursAgo(hours))
            }
            let visitor = try await server.warden()
            let page = try await visitor.get(Self.query(Self.wanted))
            #expect(page.status == 200, "\(page.text)")
            // With 17 km/h, the lowest less its tolerance, the longest time is 2:38:49.
            #expect(page.text.contains("4:30:00") && page.text.contains("2:38:49"))
            #expect(page.text.contains("Lawfully inside now: 3") && page.text.contains("2 would be inside too long"))
            #expect(try Self.limits(database) == "40.00 10.00 0.00", "nothing is changed yet")
            let form = Self.confirmed(page)
            for _ in 1...2 {
                let answer = try await visitor.post("/warden/do/roads/change", form)
                #expect(answer.location == "/warden/roads?said=road_changed", "\(answer.status) \(answer.text)")
            }
            #expect(try Self.limits(database) == "50.00 20.00 3.00")
            let audit = try await visitor.get("/warden/audit?subject=road").text
            #expect(audit.contains("40.00 → 50.00") && audit.contains("The new sign of the ministry"))
            #expect(audit.contains("admin") && audit.components(separatedBy: "Road: changed").count == 3)
            // The number by which boxes see that it is another.
            #expect(
                try database.owner.value("select server_seq > 0 from highway_segments where id = $1::uuid", [Self.road])
                    == "t")
        }
    }

    @Test func `change from a day on, and a plan can be taken back`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let day = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601.year().month().day())
            let page = try await visitor.get(Self.query(Self.wanted.merging(["from": day + "T06:00"]) { $1 }))
            let answer = try await visitor.post("/warden/do/roads/change", Self.confirmed(page))
            #expect(answer.location == "/warden/roads?said=road_planned", "\(answer.status) \(answer.text)")
            #expect(try Self.limits(database)?.hasPrefix("40.00 10.00") == true)
            #expect(
                try database.owner.value(
                    "select to_char(effective_at at time zone 'Asia/Kathmandu', 'YYYY-MM-DD HH24:MI') from road_plans")
                    == day + " 06:00")
            let roads = try await visitor.get("/warden/roads")
            #expect(roads.text.contains("Planned: ") && roads.text.contains("40 km/h → 50 km/h"))
            let drop = try await visitor.post(
                "/warden/do/roads/drop",
                ["id": try #require(try database.owner.value("select id from road_plans"))])
            #expect(drop.location == "/warden/roads?said=road_dropped")
            #expect(try await !visitor.get("/warden/roads").text.contains("Planned: "))
            // One whose time has come is made by the round.
            _ = try await visitor.post(
                "/warden/do/roads/change", Self.confirmed(page).merging(["change": UUID().uuidString]) { $1 })
            try database.owner.run("update road_plans set effective_at = now() where ended_at is null")
            _ = try database.owner.run("select checkpost.check_overstay()")
            #expect(try Self.limits(database) == "50.00 20.00 3.00")
            let audit = try await visitor.get("/warden/audit?subject=road").text
            for word in ["Road: change planned", "Road: plan taken back", "Road: changed"] {
                #expect(audit.contains(word), "\(word)")
            }
        }
    }

    @Test(arguments: [
        ("max_speed_kmh", "10", "The lowest speed has to be below the highest."),
        ("max_speed_kmh", "fast", "A number has up to four digits"), ("min_speed_kmh", "", "A number has up to four"),
        ("distance_km", "0", "A road has 0.1 to 1000 km."), ("max_speed_kmh", "300", "Speeds are from 1 to 200"),
        ("tolerance_kmh", "20", "The tolerance is too large"), ("reason", " ", "Give a reason of 1 to 200"),
        ("from", "tomorrow", "Give a day and a time"), ("from", "2999-01-01T00:00", "Give a day and a time"),
    ])
    func `say what stands against a change, and keep what was typed`(field: String, value: String, said: String)
        async throws
    {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let wanted = Self.wanted.merging([field: value]) { $1 }
            let change = wanted.merging(["change": UUID().uuidString]) { $1 }
            var answers = [try await visitor.post("/warden/do/roads/change", change)]
            // How far ahead a plan may be is asked when it is made.
            if value.first != "2" || field != "from" { answers.append(try await visitor.get(Self.query(wanted))) }
            for answer in answers {
                #expect(answer.status == 422, "\(answer.status) \(answer.text)")
                #expect(answer.text.contains("role=\"alert\"") && answer.text.contains(said))
                #expect(answer.text.contains("value=\"The new sign") == (field != "reason"))
            }
            #expect(try Self.limits(database)?.hasPrefix("40.00 10.00") == true)
        }
    }

    @Test func `that are none, or are as they are asked to be, are refused`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            for road in ["x", "", UUID().uuidString] {
                #expect(try await visitor.get(Self.query(Self.wanted.merging(["road": road]) { $1 })).status == 404)
            }
            let same = try await visitor.get("/warden/roads").text
            let now = same.matches(of: /name="([a-z_0-9]+)" value="([0-9.]+)" inputmode/).prefix(5)
            let fields = Dictionary(uniqueKeysWithValues: now.map { (String($0.output.1), String($0.output.2)) })
            let id = same.matches(of: /name="road" value="([^"]*)"/).first.map { String($0.output.1) } ?? ""
            let answer = try await visitor.get(Self.query(fields.merging(["road": id, "reason": "r"]) { $1 }))
            #expect(answer.status == 409 && answer.text.contains("That is how the road is already."), "\(fields)")
            #expect(try await visitor.post("/warden/do/roads/drop", ["id": UUID().uuidString]).status == 404)
        }
    }
}
