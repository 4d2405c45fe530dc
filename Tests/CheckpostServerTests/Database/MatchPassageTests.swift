import Foundation
import Testing

@testable import checkpost_server

@Suite("The function match-passage", .timeLimit(.minutes(10)))
struct MatchPassageTests {
    let database: TestDatabase
    let hari: String

    init() throws {
        database = try TestDatabase()
        hari = try database.addUser("hari", post: TestDatabase.postA)
        // Out of the window, so that the trigger leaves them to the function.
        try database.owner.run("update server_settings set value = '0.001' where key = 'matching.window_hours'")
    }

    /// Asks with the window as it usually is: the function doesn't look beyond it either.
    private func answer(_ one: String?, _ other: String?, as user: String? = nil) -> String? {
        do {
            try database.owner.run("update server_settings set value = '24' where key = 'matching.window_hours'")
            return try database.asUser(user ?? hari) { connection in
                try connection.run(
                    "select a ->> 'matched', a #>> '{violation,violation_type}' from checkpost.match_passage($1::uuid, $2::uuid) a",
                    [one, other]
                ).rows.first?.map { $0 ?? "null" }.joined(separator: " ")
            }
        } catch {
            return (error as? PostgresError)?.sqlState
        }
    }

    /// Why the function refuses, in its own words.
    private func refusal(_ one: String?, _ other: String?, as user: String) -> String? {
        do {
            try database.asUser(user) {
                _ = try $0.run("select checkpost.match_passage($1::uuid, $2::uuid)", [one, other])
            }
            return nil
        } catch {
            return (error as? PostgresError)?.message
        }
    }

    @Test func `links the two in either order and judges them`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("A 1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        #expect(answer(exit, entry) == "true speeding")
        #expect(try database.owner.value("select entry_passage_id from violations") == entry)
        #expect(answer(entry, exit) == "PT409")
    }

    @Test func `answers without a violation inside the limits`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T12:00:00Z")
        #expect(answer(entry, exit) == "true null")
    }

    @Test func `refuses what does not belong together`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let again = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T12:00:00Z")
        let plate = try database.owner.record("A2", at: TestDatabase.postB, "2026-11-21T12:00:00Z")
        let elsewhere = try database.owner.record("A1", at: TestDatabase.postC, "2026-11-21T12:00:00Z")
        #expect(answer(entry, entry) == "PT400")
        #expect(answer(entry, nil) == "PT400")
        #expect(answer(entry, UUID().uuidString) == "PT404")
        #expect(answer(entry, again) == "PT422")
        let text = try #require(
            try database.owner.value(
                """
                insert into vehicle_passages (id, client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
                select i, i, 'A1', 'car', $1::uuid, '2026-11-21T12:00:00Z', 'untrusted'
                from checkpost.uuid_v5(gen_random_uuid(), 'text') i returning id
                """, [TestDatabase.postB]))
        #expect(answer(entry, text) == "PT422")
        #expect(answer(entry, plate) == "PT422")
        #expect(answer(entry, elsewhere) == "PT403")
        let admin = try database.addUser("admin", role: "admin")
        #expect(answer(entry, elsewhere, as: admin) == "PT422")
        #expect(refusal(entry, elsewhere, as: admin) == "the passages are of different segments")
        #expect(refusal(entry, again, as: admin) == "the passages are of the same checkpost")
        #expect(refusal(entry, plate, as: admin) == "the plates differ")
    }

    @Test func `is for callers of the same segment`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        let other = try database.addUser("other", post: TestDatabase.postC)
        #expect(answer(entry, exit, as: other) == "PT403")
        try database.owner.run("update user_profiles set is_active = false")
        #expect(answer(entry, exit) == "PT403")
    }
}
