import Foundation
import Testing

@testable import checkpost_server

/// The server's functions by the cases in `Tests/Contract/functions`, each file in one transaction of one database, so that `now()` stands
/// still: what lies at a bound can be asked at it and a moment beside it.
///
/// | line | means |
/// | --- | --- |
/// | `# …` | what the cases after it are about |
/// | `! statement` | is run |
/// | `!! 23514 statement` | is refused with that SQLSTATE |
/// | `expression => text` | is this text; `null` for null |
@Suite("The functions of the server, by their cases", .timeLimit(.minutes(10)))
struct FunctionCaseTests {
    private static let folder = PostgresCluster.package.appendingPathComponent("Tests/Contract/functions")

    private static let names = [
        "access", "accounts", "checks", "copies", "corrections", "evidence", "lists", "overstays", "passages", "plates",
        "retention",
        "roads", "settings", "texts",
        "writing",
    ]

    private func lines(_ name: String) throws -> [(number: Int, text: String)] {
        try String(contentsOf: Self.folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
            .components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) }
            .filter { !$0.1.isEmpty && !$0.1.hasPrefix("#") }
    }

    /// What `body` gives. Its error ends the transaction and the test, and the place is told with it.
    private func at<Value>(_ place: Comment, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            Issue.record(place)
            throw error
        }
    }

    @Test(arguments: names)
    func `answer as they must`(name: String) throws {
        let database = try TestDatabase()
        let owner = database.owner
        try owner.run("begin")
        for (number, line) in try lines(name) {
            let place: Comment = "\(name).txt, line \(number)"
            if let refused = line.firstMatch(of: /^!! (\w{5}) (.*)$/) {
                try owner.run("savepoint before_it")
                let error = #expect(throws: PostgresError.self, place) { try owner.run(String(refused.2)) }
                #expect(error?.sqlState == String(refused.1), place)
                try owner.run("rollback to savepoint before_it")
            } else if line.hasPrefix("! ") {
                _ = try at(place) { try owner.run(String(line.dropFirst(2))) }
            } else {
                let found = try #require(line.firstMatch(of: /^(.*) =>(?: (.*))?$/), place)
                let answer = try at(place) { try owner.value("select (\(found.1))::text") }
                #expect((answer ?? "null") == String(found.2 ?? ""), place)
            }
        }
        try owner.run("rollback")
    }

    @Test func `are asked in every file of the folder`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(files == Self.names.map { "\($0).txt" })
    }

    /// A reader is shown numbers up to the lowest that a transaction may still write under.
    @Test(arguments: [("10, true", "10"), ("5000000000, true", "5000000000"), ("1, false", "0")])
    func `hold numbers back that are being written`(sequence: String, horizon: String) throws {
        let database = try TestDatabase()
        let reader = try database.connect()
        let last = "9223372036854775807"
        func seen(_ connection: PostgresConnection, _ snapshot: String? = nil) throws -> String? {
            try connection.value(
                "select checkpost.number_horizon(coalesce($1::pg_snapshot, pg_current_snapshot()))", [snapshot])
        }
        try database.owner.run("select setval('public.server_seq', \(sequence))")
        #expect(try seen(reader) == last)
        try database.owner.run("begin")
        try database.owner.run("select checkpost.next_number(), checkpost.next_number()")
        #expect(try seen(database.owner) == last, "who writes sees what it writes")
        #expect(try seen(reader) == horizon)
        // A statement whose snapshot is older than the commit goes on seeing none of it.
        let before = try reader.value("select pg_current_snapshot()")
        try database.owner.run("commit")
        #expect(try seen(reader, before) == horizon)
        #expect(try seen(reader) == last)
    }

    @Test func `tell one number until more is shown, whoever is writing`() throws {
        let database = try TestDatabase()
        let (reader, other) = (try database.connect(), try database.connect())
        func settled() throws -> Int64? { try reader.value("select checkpost.settled_number()").flatMap(Int64.init) }
        let first = try settled()
        #expect(try first == reader.value("select last_value from server_seq").flatMap(Int64.init))
        try database.owner.run("begin")
        try database.owner.run("select checkpost.next_number()")
        #expect(try settled() == first, "nobody is shown it yet")
        // A later writer that commits first is shown to nobody while the earlier one writes.
        try other.run("select checkpost.next_number(), checkpost.next_number()")
        #expect(try settled() == first)
        try database.owner.run("commit")
        #expect(try settled() == first.map { $0 + 3 })
    }

    @Test func `tell a post that says what waits at it no number that another one is still writing`() throws {
        let database = try TestDatabase()
        try database.owner.run(
            """
            insert into user_profiles (id, full_name, role, assigned_checkpost_id)
            select (checkpost.insert_user('t@bnp.local', 'password-t', null, null, null)).id, 'T', 'ranger', c.id
            from checkposts c where c.code = 'BNP-A'
            """)
        let post = try database.connect()
        try post.run(
            """
            select set_config('request.jwt.claims', json_build_object('sub', id)::text, false)
            from user_profiles where full_name = 'T'
            """)
        func told() throws -> Int64? {
            try post.value(
                "select public.tell_reviews(jsonb_build_object('as_of', now(), 'waiting', '[]'::jsonb)) ->> 'number'"
            ).flatMap(Int64.init)
        }
        let first = try told()
        try database.owner.run("begin")
        try database.owner.run("select checkpost.next_number()")
        #expect(try told() == first)
        try database.owner.run("commit")
        #expect(try told() == first.map { $0 + 1 })
    }

    @Test func `take numbers in read committed transactions alone`() throws {
        let database = try TestDatabase()
        try database.owner.run("begin isolation level repeatable read")
        #expect(throws: PostgresError.self) { try database.owner.run("select checkpost.next_number()") }
        try database.owner.run("rollback")
    }
}
