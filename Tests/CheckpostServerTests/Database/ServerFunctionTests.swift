import Enforcement
import Foundation
import Logging
import Testing

@testable import checkpost_server

@Suite("The functions of the server", .timeLimit(.minutes(10)))
struct ServerFunctionTests {
    private static let folder = PostgresCluster.functions

    private static func files() throws -> [FunctionFile] { try FunctionFile.files(inFolder: folder) }

    /// Every function of the project's schemas, by name: definition and rights.
    private func definitions(_ connection: PostgresConnection) throws -> [String: String] {
        let rows = try connection.run(
            """
            select n.nspname || '.' || p.proname, pg_get_functiondef(p.oid) || coalesce((select string_agg(a::text, ' ' order by a::text)
                from unnest(p.proacl) a), 'everybody')
            from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('checkpost', 'public') order by p.oid
            """
        ).rows
        return Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { $0 + "\nand once more\n" + $1 }
    }

    private func file(_ name: String, _ body: String = "select 1", arguments: String = "") -> FunctionFile {
        let text = """
            -- For a test.
            create or replace function \(name)(\(arguments)) returns integer language sql as $$ \(body) $$;

            revoke all on function \(name)(\(arguments.replacing("x ", with: "").replacing("y ", with: ""))) from public, anon;
            """
        return FunctionFile(path: "tests/\(name).sql", data: Data(text.utf8))
    }

    @Test func `are those of the folder that the program was built from`() throws {
        #expect(EmbeddedFunctions.all == (try Self.files()))
    }

    @Test func `stand one a file, with a comment and with their rights`() throws {
        let files = try Self.files()
        #expect(files.count > 90)
        #expect(Set(files.map(\.name)).count == files.count)
        for file in files {
            #expect(file.signature != nil, "\(file.path)")
            #expect(file.path.split(separator: "/").count == 2, "\(file.path): one folder for each noun")
            #expect(file.text.hasPrefix("-- "), "\(file.path): what it decides")
            #expect(file.text.contains("\n-- Called by "), "\(file.path): who calls it")
            #expect(
                file.text.contains("from public, anon, authenticated, service_role, authenticator;"), "\(file.path)")
        }
    }

    @Test func `name each function that calls them`() throws {
        let files = try Self.files()
        for file in files {
            let comment = file.text.components(separatedBy: "create or replace").first ?? ""
            for caller in files where caller.name != file.name && caller.text.contains(file.name + "(") {
                let name = caller.name.replacing("checkpost.", with: "")
                #expect(comment.contains(name), "\(file.path) doesn't name \(name)")
            }
        }
    }

    @Test func `are in a migrated database exactly as in their files, and no others are`() throws {
        let database = try TestDatabase()
        let before = try definitions(database.owner)
        #expect(before.keys.sorted() == (try Self.files().map(\.name).sorted()))
        // Made from their files once more, with every body checked, they are what they were.
        try database.owner.run("set check_function_bodies = on")
        for file in try Self.files() { try database.owner.runScript(file.text) }
        #expect(try definitions(database.owner) == before)
    }

    @Test func `are changed by no migration after the one that began their list`() throws {
        for file in try MigrationFile.files(inFolder: PostgresCluster.migrations) where file.name > "0033" {
            #expect(
                !file.text.contains("create or replace function") && !file.text.contains("alter function"),
                "\(file.name)")
        }
    }

    @Test func `take the place of what earlier migrations made`() throws {
        let database = try TestDatabase(template: "template0")
        let migrations = try MigrationFile.files(inFolder: PostgresCluster.migrations)
        let former = migrations.filter { $0.name < "0033" }
        let first = try Migrator(files: former, functions: []).migrate(database.owner)
        #expect(first.migrations.count == former.count && first.replacedFunctions.isEmpty)
        try database.owner.runScript(String(contentsOfFile: PostgresCluster.seed, encoding: .utf8))
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        #expect(try database.owner.value("select to_regprocedure('checkpost.change_known_passage(jsonb)')") != nil)

        let files = try Self.files()
        let second = try Migrator(files: migrations, functions: files).migrate(database.owner)
        #expect(second.migrations == migrations.map(\.name).filter { $0 >= "0033" })
        #expect(second.replacedFunctions.sorted() == files.map(\.name).sorted())
        #expect(second.droppedFunctions.contains("checkpost.change_known_passage(jsonb)"))
        // It is what a new one is, and goes on with what was recorded before.
        #expect(try definitions(database.owner) == (try definitions(TestDatabase().owner)))
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:10:00Z")
        #expect(try database.owner.value("select count(*) from violations") == "1")
        #expect(try Migrator(files: migrations, functions: files).migrate(database.owner) == Migrator.Changes())
    }

    @Test func `are made anew where their text or the database's changed, and nowhere else`() throws {
        let database = try TestDatabase()
        let migrations = try MigrationFile.files(inFolder: PostgresCluster.migrations)
        var files = try Self.files()
        let before = try definitions(database.owner)
        func migrate() throws -> Migrator.Changes {
            try Migrator(files: migrations, functions: files).migrate(database.owner)
        }
        #expect(try migrate() == Migrator.Changes())

        try database.owner.runScript(
            """
            create or replace function checkpost.is_admin() returns boolean language sql stable security definer
                set search_path = '' as 'select true';
            drop function checkpost.drop_old_logs();
            """)
        #expect(try migrate().replacedFunctions.sorted() == ["checkpost.drop_old_logs", "checkpost.is_admin"])
        #expect(try definitions(database.owner) == before)

        let first = files[0]
        files[0] = FunctionFile(path: first.path, data: Data(("-- Another word.\n" + first.text).utf8))
        files.append(file("checkpost.added", arguments: "x integer"))
        #expect(try migrate().replacedFunctions.sorted() == [first.name, "checkpost.added"].sorted())
        #expect(try database.owner.value("select checkpost.added(1)") == "1")
        // Other arguments make another function of the name; the former goes.
        files[files.count - 1] = file("checkpost.added", arguments: "x integer, y integer")
        #expect(try migrate().replacedFunctions == ["checkpost.added"])
        #expect(try definitions(database.owner)["checkpost.added"]?.contains("once more") == false)
        files = try Self.files()
        #expect(try migrate().droppedFunctions == ["checkpost.added"])
        #expect(try definitions(database.owner) == before)
    }

    @Test func `change nothing when one of them fails, nor do the migrations before them`() throws {
        let database = try TestDatabase()
        let migrations =
            try MigrationFile.files(inFolder: PostgresCluster.migrations) + [
                MigrationFile(name: "9999_table.sql", data: Data("create table public.later (x integer);".utf8))
            ]
        let before = try definitions(database.owner)
        for bad in [
            file("checkpost.bad", "select 1) nonsense", arguments: "x nonsense"),
            // Everybody could execute it.
            FunctionFile(
                path: "tests/checkpost.bad.sql",
                data: Data(
                    "-- X.\ncreate or replace function checkpost.bad() returns integer language sql as 'select 1';".utf8
                )),
        ] {
            let files = [file("checkpost.a")] + (try Self.files()) + [bad]
            let failure = #expect(throws: Migrator.Failure.self) {
                try Migrator(files: migrations, functions: files).migrate(database.owner)
            }
            #expect(failure?.description.contains("tests/checkpost.bad.sql") == true)
        }
        #expect(try definitions(database.owner) == before)
        #expect(try database.owner.value("select to_regclass('public.later')") == nil)
    }

    /// What the server says when it starts on this database; nil when it starts.
    private func complaint(_ database: TestDatabase) async throws -> String? {
        var settings = Settings()
        settings.databaseURL = Secret(database.gatewayURL)
        settings.jwtSecret = "a secret of the tests, long enough for HS256"
        do {
            let gateway = try await Gateway(settings, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            gateway.pool.close()
            return nil
        } catch let failure as Migrator.Failure {
            return failure.description
        }
    }

    @Test func `must be the program's own before it serves`() async throws {
        let database = try TestDatabase()
        #expect(try await complaint(database) == nil)

        try database.owner.runScript(
            """
            create or replace function checkpost.is_admin() returns boolean language sql stable security definer
                set search_path = '' as 'select true';
            """)
        let changed = try #require(try await complaint(database))
        #expect(
            changed.contains("Somebody changed the function checkpost.is_admin of the database by hand"), "\(changed)")
        #expect(changed.contains("`checkpost-server migrate`"))
        #expect(try Migrator().migrate(database.owner).replacedFunctions == ["checkpost.is_admin"])
        #expect(try await complaint(database) == nil)

        // Another program's, both ways: one that this one has in another text, and one that it hasn't.
        for change in [
            "update checkpost.schema_functions set sha256 = 'another' where name = 'checkpost.is_admin'",
            "delete from checkpost.schema_functions where name = 'checkpost.is_admin'",
            "insert into checkpost.schema_functions values ('checkpost.later', 'checkpost.later()', 'x', 'x')",
        ] {
            try database.owner.run(change)
            let other = try #require(try await complaint(database))
            #expect(other.contains("has other functions than this program: checkpost."), "\(other)")
            #expect(other.contains("Run `checkpost-server migrate` with the program that shall serve."))
            _ = try Migrator().migrate(database.owner)
            #expect(try await complaint(database) == nil)
        }
    }

    @Test func `are compared by name, text and what stands`() {
        let known = [file("checkpost.a"), file("checkpost.b")]
        let same = known.map { AppliedFunction(name: $0.name, signature: $0.name + "()", sha256: $0.sha256) }
        #expect(FunctionDifference(known: known, applied: same).complaint == nil)
        #expect(FunctionDifference(known: known, applied: []).complaint?.contains("checkpost.a and 1 more") == true)

        var altered = same
        altered[1].stands = false
        let hand = FunctionDifference(known: known, applied: altered)
        #expect(hand.stale.map(\.name) == ["checkpost.b"] && hand.altered == ["checkpost.b"] && hand.unknown.isEmpty)
        #expect(hand.complaint?.contains("by hand") == true)

        let fewer = FunctionDifference(known: [known[0]], applied: same)
        #expect(fewer.stale.isEmpty && fewer.unknown.map(\.name) == ["checkpost.b"])
        #expect(fewer.complaint?.contains("other functions than this program: checkpost.b.") == true)
    }
}
