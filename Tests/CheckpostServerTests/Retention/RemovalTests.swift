import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("What the server's term is over for", .serialized, .timeLimit(.minutes(10)))
struct RemovalTests {
    private static let days = KeptDays(passages: 200, violations: 200, photos: 200, compliantPhotos: 30, changes: 0)

    /// A passage of so many days ago, with this photo.
    private static func passage(
        _ plate: String, daysAgo: Int, _ photo: Data, _ server: TestServer, _ database: TestDatabase
    ) async throws -> String {
        let body = TestServer.passage(plate, TestDatabase.hoursAgo(1))
        #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: body).status == 201)
        let id = try #require(
            try database.owner.value("select id from vehicle_passages where plate_number = $1", [plate]))
        let path = "/storage/v1/object/passage-photos/\(id).jpg"
        #expect(try await server.send("POST", path, as: "admin", body: photo).status == 200)
        let past = "now() - interval '\(daysAgo) days'"
        try database.owner.run(
            "update vehicle_passages set recorded_at = \(past), server_received_at = \(past), photo_path = id where id = $1",
            [id])
        try database.owner.run("update storage.objects set created_at = \(past) where name = $1", [id + ".jpg"])
        return id
    }

    private static func waits(_ what: Comment, until isSo: () throws -> Bool) async throws {
        for _ in 0..<300 where try !isSo() { try await Task.sleep(for: .milliseconds(100)) }
        #expect(try isSo(), what)
    }

    @Test func `goes once a day by itself, with the files of its photos`() async throws {
        try await TestServer.run({ $0.keptDays = Self.days }) { server, database in
            let photos = PhotoFolder(server.settings.photoFolder)
            let old = try await Self.passage("AA1PA1", daysAgo: 300, PhotoTests.jpeg, server, database)
            let plain = try await Self.passage("AA1PA2", daysAgo: 65, PhotoTests.png, server, database)
            // The same bytes, and younger: the file stays.
            let young = try await Self.passage("AA1PA3", daysAgo: 5, PhotoTests.jpeg, server, database)
            let gateway = try #require(server.gateway)
            let timer = Task { try await RemovalTimer(gateway: gateway, interval: .milliseconds(50)).run() }
            defer { timer.cancel() }
            let ids = "select string_agg(id::text, ' ') from vehicle_passages where id = any ($1::uuid[])"
            try await Self.waits("the old passage") {
                try database.owner.value(ids, ["{\(old)}"]) == nil
            }
            try await Self.waits("the photo of a compliant vehicle") {
                try photos.open(PhotoStore.hash(of: PhotoTests.png)) == nil
            }
            #expect(try database.owner.value(ids, ["{\(plain)}"]) == plain)
            #expect(try database.owner.value(ids, ["{\(young)}"]) == young)
            #expect(try photos.open(PhotoStore.hash(of: PhotoTests.jpeg)) != nil)
            // Once a day.
            let late = try await Self.passage("AA1PA4", daysAgo: 300, PhotoTests.jpeg, server, database)
            // Time for twenty rounds: that nothing happens can't be waited for.
            try await Task.sleep(for: .seconds(1))
            #expect(try database.owner.value(ids, ["{\(late)}"]) == late)
            // The warden sees what went, and that a picture is no longer kept.
            let desk = try await server.warden()
            let changes = try await desk.get("/warden/audit?subject=removal").text
            #expect(changes.contains("Term over: passages removed"))
            #expect(try await desk.get("/warden/passage?id=\(plain)").text.contains("Its picture is no longer kept"))
        }
    }

    @Test func `is not removed while the clock may be years ahead`() async throws {
        try await TestServer.run({ $0.keptDays = Self.days }) { server, database in
            let old = try await Self.passage("AA1PA1", daysAgo: 300, PhotoTests.jpeg, server, database)
            _ = try await Self.passage("AA1PA2", daysAgo: 31, PhotoTests.png, server, database)
            let gateway = try #require(server.gateway)
            let timer = Task { try await RemovalTimer(gateway: gateway, interval: .milliseconds(50)).run() }
            defer { timer.cancel() }
            // Time for twenty rounds: that nothing happens can't be waited for.
            try await Task.sleep(for: .seconds(1))
            #expect(try database.owner.value("select count(*) from vehicle_passages where id = $1", [old]) == "1")
            #expect(try database.owner.value("select count(*) from checkpost.removal_rounds") == "0")
        }
    }

    @Test func `is said and removed by the command`() async throws {
        try await TestServer.run { server, database in
            let photos = PhotoFolder(server.settings.photoFolder)
            _ = try await Self.passage("AA1PA1", daysAgo: 300, PhotoTests.jpeg, server, database)
            let violation = try server.speeding("AA1PA3", database)
            #expect(!violation.exit.isEmpty)
            func command(_ terms: String, _ arguments: String...) async throws -> OtherProgram.Result {
                try await server.command(["retention"] + arguments, with: terms, database)
            }
            let terms = "[retention]\npassages_days = 200\nviolations_days = 200\n"
            try database.owner.run("update vehicle_passages set recorded_at = recorded_at - interval '60 days'")
            let ahead = try await command(terms, "--run")
            #expect(ahead.status == 1 && ahead.output.contains("clock of this machine"), "\(ahead)")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "3")
            try database.owner.run("update violations set exit_time = now() - interval '300 days'")
            _ = try await Self.passage("AA1PA2", daysAgo: 5, PhotoTests.png, server, database)
            let none = try await command("")
            #expect(none.status == 0 && none.output.contains("passages: for ever"), "\(none)")
            #expect(none.output.contains("Nothing was ever removed"), "\(none)")
            let refused = try await command("", "--run")
            #expect(refused.status == 1 && refused.output.contains("[retention]"), "\(refused)")
            let due = try await command(terms)
            #expect(due.output.contains("Due now: 1 passages, 0 violations, 0 photos"), "\(due)")
            #expect(due.output.contains("1 violations stay beyond their term"), "\(due)")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "4")
            let done = try await command(terms, "--run")
            #expect(done.status == 0, "\(done)")
            #expect(done.output.contains(/Removed in \d{4}-\d{2}: 1 passages/), "\(done)")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "3")
            #expect(try photos.open(PhotoStore.hash(of: PhotoTests.jpeg)) == nil)
            #expect(try photos.open(PhotoStore.hash(of: PhotoTests.png)) != nil)
        }
    }

    @Test(arguments: [
        "passages_days = 99", "violations_days = -1", "photos_days = 6", "compliant_photos_days = 36501",
        "changes_days = 399",
    ])
    func `has a term that is refused when it is too short or senseless`(line: String) {
        let toml = """
            [database]
            url = "x"
            [auth]
            jwt_secret = "a secret of the tests, long enough for HS256"
            [retention]
            \(line)
            """
        let mistake = #expect(throws: Settings.Mistake.self) { try SettingsFile.settings(toml: toml) }
        #expect(mistake?.description.contains("retention." + line.prefix { $0 != " " }) == true)
    }
}
