import Foundation
import TestKit
import Testing

@testable import checkpost_server

/// Two roads meet at B: one goes to A, 45 km, the other to C, 10 km.
@Suite("A post where two roads meet", .serialized, .timeLimit(.minutes(10)))
struct SharedPostTests {
    private static let otherRoad = "b0000000-0000-4000-8000-000000000003"

    private static func share(_ database: TestDatabase) throws {
        try database.owner.run("delete from checkposts where id = $1::uuid", [TestDatabase.postD])
        try database.owner.run(
            """
            insert into checkposts (segment_id, name, code, position_index, stands_at)
            values ($1::uuid, 'Checkpost B', 'BNP-B-2', 1, $2::uuid)
            """, [otherRoad, TestDatabase.postB])
    }

    /// A vehicle that takes ten minutes from C to B, as the two posts' boxes send it. B's passage and its photo.
    private static func drive(_ server: TestServer) async throws -> (passage: String, photo: String) {
        let came = TestServer.passage("BA1PA1234", at: TestDatabase.postC, TestDatabase.hoursAgo(0.5))
        #expect(try await server.send("POST", "/rest/v1/vehicle_passages", as: "c", json: came).status == 201)
        let went = TestServer.passage(
            "BA1PA1234", at: TestDatabase.postB, TestDatabase.hoursAgo(0.5 - 1 / 6.0))
        let answer = try await server.send(
            "POST", "/rest/v1/vehicle_passages", as: "b", ["Prefer": "return=representation"], json: went)
        let id = answer.rows.first?["id"] as? String ?? ""
        let photo = "/storage/v1/object/passage-photos/\(id).jpg"
        #expect(try await server.send("POST", photo, as: "b", body: PhotoTests.jpeg).status == 200)
        let named = try await server.send(
            "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)", as: "b", json: ["photo_path": "\(id).jpg"])
        #expect(named.status < 300)
        return (id, photo)
    }

    @Test func `records once, and each road's posts see what happened on theirs`() async throws {
        try await TestServer.run { server, database in
            try Self.share(database)
            let drive = try await Self.drive(server)
            let rows = "/rest/v1/vehicle_passages?select=id,client_id,copy_of,photo_path&order=recorded_at"
            let ofC = try await server.send("GET", rows, as: "c").rows
            #expect(ofC.count == 2 && ofC.last?["copy_of"] as? String == drive.passage)
            #expect(ofC.last?["photo_path"] as? String == "\(drive.passage).jpg")
            #expect(try await server.send("GET", drive.photo, as: "c").data == PhotoTests.jpeg)
            #expect(try await server.send("GET", drive.photo, as: "a").status == 200)
            let found = "/rest/v1/violations?select=id,segment_id"
            #expect(try await server.send("GET", rows, as: "a").rows.count == 1)
            #expect(try await server.send("GET", found, as: "a").rows.isEmpty)
            for post in ["b", "c"] {
                let violations = try await server.send("GET", found, as: post).rows
                #expect(violations.map { $0["segment_id"] as? String } == [Self.otherRoad], "\(post)")
            }
            let violation = try #require(try await server.send("GET", found, as: "c").rows.first?["id"] as? String)
            let outcome: [String: Any] = [
                "violation_id": violation, "outcome_type": "warned", "recorded_by": server.users["b"] ?? "",
                "recorded_at": TestDatabase.hoursAgo(0),
            ]
            #expect(try await server.send("POST", "/rest/v1/violation_outcomes", as: "b", json: outcome).status == 201)
            #expect(try await server.send("GET", "/rest/v1/violation_outcomes", as: "c").rows.count == 1)
            #expect(try await server.send("GET", "/rest/v1/violation_outcomes", as: "a").rows.isEmpty)
        }
    }

    @Test func `has copies that no client makes or changes`() async throws {
        try await TestServer.run { server, database in
            try Self.share(database)
            let drive = try await Self.drive(server)
            for user in ["b", "c", "admin", "service"] {
                var made = TestServer.passage("BA1PA9999", at: TestDatabase.postB, TestDatabase.hoursAgo(0.1))
                made["copy_of"] = drive.passage
                let answer = try await server.send("POST", "/rest/v1/vehicle_passages", as: user, json: made)
                #expect(answer.status == 403, "\(user): \(answer.text)")
                let changed = try await server.send(
                    "PATCH", "/rest/v1/vehicle_passages?copy_of=eq.\(drive.passage)", as: user,
                    json: ["photo_path": NSNull()])
                #expect(changed.status >= 400 || user == "b" || user == "c", "\(user): \(changed.text)")
            }
            let stands = "select photo_path from vehicle_passages where copy_of = $1::uuid"
            #expect(try database.owner.value(stands, [drive.passage]) == "\(drive.passage).jpg")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "3")
        }
    }

    @Test func `counts a vehicle once over all roads, and shows its picture on each`() async throws {
        try await TestServer.run { server, database in
            try Self.share(database)
            let drive = try await Self.drive(server)
            let visitor = try await server.warden()
            let lists = ["": 2, "?post=\(TestDatabase.postB)": 1, "?post=\(TestDatabase.postC)": 1]
            for (filter, count) in lists {
                let page = try await visitor.get("/warden/passages" + filter).text
                #expect(page.components(separatedBy: "/warden/passage?id=").count - 1 == count, "\(filter)")
            }
            let copy = try database.owner.value(
                "select id from vehicle_passages where copy_of = $1::uuid", [drive.passage])
            let page = try await visitor.get("/warden/passage?id=\(copy ?? "")")
            #expect(page.text.contains("/warden/photos/\(drive.passage).jpg"), "\(page.text)")
            let today = try await visitor.get("/warden")
            #expect(today.text.contains("BNP-B") && !today.text.contains("BNP-B-2"))
            // Nobody works at the further road.
            #expect(try await !visitor.get("/warden/people").text.contains("BNP-B-2"))
        }
    }

    @Test func `is made at the page, with a form that says what it needs`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            let road = [
                "new_road": UUID().uuidString, "road_name": "B to E", "distance_km": "१२", "max_speed_kmh": "40",
                "min_speed_kmh": "10", "first_post": "BNP-B", "second_code": "BNP-E", "second_name": "Checkpost E",
                "reason": "a new gate",
            ]
            let office = try await server.warden("office")
            #expect(try await office.post("/warden/do/roads/add", road).status == 403)
            #expect(try await !office.get("/warden/roads").text.contains("/warden/do/roads/add"))
            let visitor = try await server.warden()
            #expect(try await visitor.get("/warden/roads").text.contains("/warden/do/roads/add"))
            let wrong = try await visitor.post("/warden/do/roads/add", road.merging(["second_code": "BNP-A"]) { $1 })
            #expect(wrong.status == 422 && wrong.text.contains("Another post has this code"), "\(wrong.text)")
            #expect(wrong.text.contains("value=\"B to E\"") && wrong.text.contains("value=\"१२\""))
            #expect(try await visitor.post("/warden/do/roads/add", road).status == 303)
            #expect(try await visitor.post("/warden/do/roads/add", road).status == 303)
            let page = try await visitor.get("/warden/roads").text
            #expect(page.contains("BNP-B-2 Checkpost B (at BNP-B) – BNP-E Checkpost E"), "\(page)")
            #expect(page.contains("code=BNP-E") && !page.contains("code=BNP-B-2"))
        }
    }
}
