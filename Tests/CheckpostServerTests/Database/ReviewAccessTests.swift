import Foundation
import Testing

@testable import checkpost_server

@Suite("What waits for review at a post", .timeLimit(.minutes(10)))
struct ReviewAccessTests {
    let database: TestDatabase
    let ram: String
    let sita: String
    let other: String

    init() throws {
        database = try TestDatabase()
        ram = try database.addUser("ram", post: TestDatabase.postA)
        sita = try database.addUser("sita", post: TestDatabase.postB)
        other = try database.addUser("other", post: TestDatabase.postC)
    }

    private func tell(_ post: String, as user: String, waiting: String = "[]") throws {
        _ = try database.asUser(user) {
            try $0.run(
                """
                insert into post_reviews (checkpost_id, as_of, waiting) values ($1, now(), $2::jsonb)
                on conflict (checkpost_id) do update set as_of = excluded.as_of, waiting = excluded.waiting
                """, [post, waiting])
        }
    }

    private func count(as user: String) throws -> String? {
        try database.asUser(user) { try $0.value("select count(*) from post_reviews") }
    }

    @Test func `is told by that post, as often as it likes, and read by its segment`() throws {
        try tell(TestDatabase.postA, as: ram)
        try tell(TestDatabase.postA, as: ram, waiting: #"[{"at": "2026-11-21T10:00:00Z", "plate": ""}]"#)
        #expect(try count(as: ram) == "1")
        #expect(try count(as: sita) == "1")
        #expect(try count(as: other) == "0")
    }

    @Test func `is told by nobody else`() throws {
        for user in [sita, other] {
            #expect(throws: PostgresError.self) { try tell(TestDatabase.postA, as: user) }
        }
        try database.owner.run("update user_profiles set is_active = false where id = $1", [ram])
        #expect(throws: PostgresError.self) { try tell(TestDatabase.postA, as: ram) }
        #expect(try database.owner.value("select count(*) from post_reviews") == "0")
    }

    @Test(arguments: ["{}", "[1]x", "null"]) func `is a list`(waiting: String) throws {
        #expect(throws: PostgresError.self) { try tell(TestDatabase.postA, as: ram, waiting: waiting) }
    }
}
