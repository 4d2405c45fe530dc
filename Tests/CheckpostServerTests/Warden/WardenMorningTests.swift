import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

/// A warden's morning in a real Chromium, in `Browser/morning.py`: it says what it did, and fails with what went wrong.
@Suite("The warden's page in a browser", .timeLimit(.minutes(15)))
struct WardenMorningTests {
    /// What `Browser/run` ends with when there is no browser, or nothing to drive it with.
    private static let isMissing: Int32 = 77

    /// Where each screen is photographed, if anybody wants it.
    private static let screenshots = ProcessInfo.processInfo.environment["CHECKPOST_SCREENSHOTS"].map { [$0] } ?? []

    @Test func `lets a warden through a morning`() async throws {
        try await TestServer.run({ $0.wardenFourEyes = true }) { server, database in
            try await Self.prepare(server, database)
            try Self.change(server, database)
            _ = try database.addUser("audit", role: "auditor")
            let outcome = try await OtherProgram.run(
                PostgresCluster.package.appendingPathComponent("Tests/CheckpostServerTests/Browser/run").path,
                ["http://127.0.0.1:\(server.port)"] + Self.screenshots, limitSeconds: 500)
            guard outcome.status != Self.isMissing else {
                print("Skipped: there is no chromium, or playwright can't be installed. deploy/test installs both.")
                return
            }
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("every screen passes"))
        }
    }

    /// What a ranger of post A changed, for somebody else to look at.
    private static func change(_ server: TestServer, _ database: TestDatabase) throws {
        try database.owner.run("delete from violation_outcomes")
        try database.asUser(server.users["a"]) { connection in
            try connection.run(
                "insert into violation_outcomes (violation_id, outcome_type, acted_by) select id, 'warned', 'Hari' from violations limit 1"
            )
            try connection.run(
                """
                select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', client_id,
                    'plate_number', 'BA9PA7777', 'reason', 'A digit was lost', 'acted_by', 'Hari', 'changed_at', now()))
                from vehicle_passages where plate_number like 'GA%' order by recorded_at limit 1
                """)
        }
    }

    private static func prepare(_ server: TestServer, _ database: TestDatabase) async throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'GA' || g % 9 + 1 || 'KHA' || 2000 + g, 'bus', $1, now() - g * interval '3 minutes'
            from generate_series(10, 150) g
            """, [TestDatabase.postA])
        let passages = try WardenPageTests.fill(database, server)
        try database.owner.run(
            """
            insert into sync_metadata (user_id, device_id, pending_count, app_version, updated_at)
            values ($1, 'box', 17, '9.8.7', now() - interval '2 hours'), ($2, 'box', 0, '9.8.7', now())
            """, [server.users["a"], server.users["b"]])
        try database.owner.run(
            """
            update checkposts set latitude = 28.06 + position_index * 0.21, longitude = 81.62 + position_index * 0.33
                + case when code in ('BNP-C', 'BNP-D') then 0.2 else 0 end
            """)
        let picture = PostgresCluster.package.appendingPathComponent("deploy/samples/drive/BNP-B")
        let names = try FileManager.default.contentsOfDirectory(atPath: picture.path).filter { $0.hasSuffix(".jpg") }
            .sorted()
        let photo = try Data(contentsOf: picture.appendingPathComponent(try #require(names.dropFirst(3).first)))
        let alike = try database.owner.run("select id from vehicle_passages where plate_number like 'LU3%'").rows
        for id in [passages.entry, passages.exit] + alike.compactMap({ $0[0] }) {
            let answer = try await server.send(
                "POST", "/storage/v1/object/passage-photos/\(id).jpg", as: "admin",
                [PlatePlace.field: "396 329 143 37 960 540"], body: photo)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }
}
