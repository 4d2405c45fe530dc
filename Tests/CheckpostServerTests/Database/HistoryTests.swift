import Foundation
import Testing

@testable import checkpost_server

@Suite("What the server keeps of what people did", .timeLimit(.minutes(10)))
struct HistoryTests {
    let database: TestDatabase
    let hari: String
    let warden: String

    init() throws {
        database = try TestDatabase()
        hari = try database.addUser("hari", post: TestDatabase.postA)
        warden = try database.addUser("warden", role: "admin")
    }

    private func violation() throws -> String {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        return try #require(try database.owner.value("select id from violations"))
    }

    private func run(_ sql: String, _ parameters: [String?] = [], as user: String) throws {
        _ = try database.asUser(user) { try $0.run(sql, parameters) }
    }

    @Test func `is each outcome, each change of one, and who removed it`() throws {
        let id = try violation()
        try run(
            """
            insert into violation_outcomes (violation_id, outcome_type, fine_amount, acted_by, recorded_at)
            values ($1, 'fined', 1000, 'Sita', now())
            """, [id], as: hari)
        try run("update violation_outcomes set outcome_type = 'let_go', fine_amount = null", as: hari)
        // The same once more is no change.
        try run("update violation_outcomes set outcome_type = 'let_go'", as: hari)
        try run("delete from violation_outcomes", as: warden)
        let rows = try database.asUser(hari) { connection in
            try connection.run(
                """
                select kind, old_outcome ->> 'outcome_type', old_outcome ->> 'fine_amount', new_outcome ->> 'outcome_type', changed_by,
                    acted_by from outcome_changes order by id
                """
            ).rows
        }
        #expect(
            rows == [
                ["recorded", nil, nil, "fined", hari, "Sita"], ["changed", "fined", "1000.00", "let_go", hari, "Sita"],
                ["removed", "let_go", nil, nil, warden, nil],
            ])
    }

    @Test func `stays when its violation falls away, with the reason`() throws {
        let id = try violation()
        try run("insert into violation_outcomes (violation_id, outcome_type) values ($1, 'warned')", [id], as: hari)
        try run("update vehicle_passages set plate_number = 'A2' where is_entry", as: warden)
        let rows = try database.asUser(hari) {
            try $0.run("select kind, violation_id, reason from outcome_changes where kind = 'removed'").rows
        }
        #expect(rows == [["removed", id, "changed directly, no reason was given"]])
    }

    @Test(arguments: ["delete from outcome_changes", "update outcome_changes set acted_by = 'x'"])
    func `can't be changed or deleted by anybody who signs in`(sql: String) throws {
        let id = try violation()
        try run("insert into violation_outcomes (violation_id, outcome_type) values ($1, 'warned')", [id], as: hari)
        for (user, role) in [(hari, "authenticated"), (warden, "authenticated"), (warden, "service_role")] {
            #expect(throws: PostgresError.self) {
                try database.asUser(user, role: role) { _ = try $0.run(sql) }
            }
        }
        let other = try database.addUser("other", post: TestDatabase.postC)
        #expect(try database.asUser(other) { try $0.value("select count(*) from outcome_changes") } == "0")
    }

    @Test func `is the whole passage that a warden deleted, and the one that he stored by hand`() throws {
        let id = try #require(try database.owner.record("A9", at: TestDatabase.postA, "2026-11-21T10:00:00Z"))
        try run("delete from vehicle_passages where id = $1", [id], as: warden)
        _ = try database.asUser(warden) {
            try $0.record("A8", at: TestDatabase.postB, "2026-11-21T11:00:00Z")
        }
        let rows = try database.owner.run(
            """
            select kind, old_plate_number, old_passage ->> 'id', new_passage ->> 'plate_number', changed_by, acted_by
            from passage_changes order by server_seq
            """
        ).rows
        #expect(
            rows == [
                ["deleted", "A9", id, nil, warden, "warden"], ["stored", "A8", nil, "A8", warden, "warden"],
            ])
        // A post's own uploads are no news.
        _ = try database.asUser(hari) { try $0.record("A7", at: TestDatabase.postA, "2026-11-21T11:00:00Z") }
        #expect(try database.owner.value("select count(*) from passage_changes") == "2")
    }
}
