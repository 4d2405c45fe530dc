import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The server's report", .timeLimit(.minutes(10)), .serialized)
struct ReportTests {
    @Test func `says the tolerance behind each violation, and what a doubtful alert waits for`() async throws {
        let database = try TestDatabase()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let config = folder.appendingPathComponent("server.toml").path
        let made = try await OtherProgram.run(
            CommandTests.program,
            [
                "init", "--config", config, "--database-url", database.gatewayURL, "--owner-url", database.ownerURL,
                "--port", "0", "--photo-folder", folder.path,
            ], input: "", limitSeconds: 60)
        #expect(made.status == 0, "\(made.output)")
        try database.owner.run(
            "update highway_segments set tolerance_kmh = 0.5, tolerance_percent = 3 where distance_km = 45")
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        try database.owner.record("A2", at: TestDatabase.postA, "2026-11-21T08:00:00Z")
        try database.owner.run("update highway_segments set tolerance_kmh = 0, tolerance_percent = 0")
        try database.owner.record("A3", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A3", at: TestDatabase.postB, "2026-11-21T11:07:28Z")
        try database.owner.record("BA1PA1234", at: TestDatabase.postA, "2026-11-21T08:30:00Z")
        try database.owner.record("BA1PHA1234", at: TestDatabase.postB, "2026-11-21T09:00:00Z")
        try database.owner.record("GAD2957", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("GAD2957", at: TestDatabase.postB, "2026-11-21T10:31:00Z")
        try database.owner.overstayRound()
        func report(_ more: String...) async throws -> String {
            let result = try await OtherProgram.run(
                CommandTests.program, ["report", "--days", "0", "--config", config] + more, input: "", limitSeconds: 60)
            #expect(result.status == 0, "\(result.output)")
            return result.output
        }
        let text = try await report()
        #expect(text.contains("limit  tolerance") && text.contains("40     1.2"), "\(text)")
        #expect(text.contains("the reviews of BNP-B are not known"), "\(text)")
        #expect(text.contains("a word on BA 1 PHA 1234 of BNP-B 2026-11-21 14:45:00, which looks alike"), "\(text)")
        // What was measured is never said to be the limit, and times have their seconds.
        #expect(text.contains("01:07:28") && text.contains("40.0198"), "\(text)")
        #expect(text.contains("G AD 2957") && !text.contains("GAD2957"), "as the boxes and the pages write it: \(text)")
        let json = try JSONSerialization.jsonObject(with: Data(try await report("--json").utf8)) as? [String: Any]
        let violation = (json?["violations"] as? [[String: Any]])?.first { $0["plate"] as? String == "A1" }
        #expect(violation?["tolerance"] as? Double == 1.2 && violation?["limit"] as? Double == 40)

        try database.owner.run(
            """
            insert into post_reviews (checkpost_id, as_of, complete_up_to, waiting)
            values ($1, '2026-11-22T08:00:00Z', '2026-11-22T08:00:00Z', '[{"at": "2026-11-21T09:00:00Z", "plate": ""}]')
            """, [TestDatabase.postB])
        try database.owner.overstayRound()
        let later = try await report()
        #expect(later.contains("the review of BNP-B 2026-11-21 14:45:00"), "\(later)")

        // Anybody can send a text: it must not pass for a line of the report.
        try database.owner.run(
            "select public.receive_sms($1, '+447', 'S9')", ["junk\u{1b}[2J\nspeeding  ZZ9ZZ9999"])
        let forged = try await report()
        #expect(forged.contains("ZZ9ZZ9999"), "\(forged)")
        #expect(!forged.contains("\u{1b}") && !forged.contains("\nspeeding  ZZ9ZZ9999"), "\(forged)")
    }
}
