import Enforcement
import Foundation
import Logging
import Testing

@testable import checkpost_server

@Suite("The migrations that a server knows", .timeLimit(.minutes(10)))
struct KnownMigrationTests {
    private static let known = ["0001_a.sql", "0002_b.sql"].map { MigrationFile(name: $0, data: Data($0.utf8)) }

    private func difference(_ names: String..., hash: String? = nil) -> MigrationDifference {
        let applied = names.map { ($0, hash ?? MigrationFile(name: $0, data: Data($0.utf8)).sha256) }
        return MigrationDifference(known: Self.known, applied: Dictionary(applied) { $1 })
    }

    @Test func `are those of the folder that it was built from`() throws {
        #expect(EmbeddedMigrations.all == (try MigrationFile.files(inFolder: PostgresCluster.migrations)))
    }

    @Test func `are compared both ways`() {
        #expect(difference("0001_a.sql", "0002_b.sql").complaint == nil)
        #expect(difference("0001_a.sql").missing == ["0002_b.sql"])
        #expect(difference("0001_a.sql").complaint?.contains("Run `checkpost-server migrate` first.") == true)
        #expect(difference("0001_a.sql", "0002_b.sql", "0003_c.sql").unknown == ["0003_c.sql"])
        #expect(difference("0001_a.sql", "0003_c.sql").complaint?.contains("older than the database") == true)
        #expect(difference("0001_a.sql", "0002_b.sql", hash: "another").changed == ["0001_a.sql", "0002_b.sql"])
        #expect(difference().complaint?.contains("0001_a.sql and 1 more") == true)
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

    @Test func `must be those of the database before it serves`() async throws {
        let database = try TestDatabase()
        #expect(try await complaint(database) == nil)

        try database.owner.run(
            "update checkpost.schema_migrations set name = '9999_later.sql' where name like '0012%'")
        let newer = try #require(try await complaint(database))
        #expect(newer.contains("9999_later.sql") && newer.contains("older than the database"), "\(newer)")

        try database.owner.run("delete from checkpost.schema_migrations where name = '9999_later.sql'")
        let older = try #require(try await complaint(database))
        #expect(older.contains("lacks the migration 0012") && older.contains("migrate"), "\(older)")

        // A database from before the gateway was let look at the list.
        try database.owner.run("revoke select on checkpost.schema_migrations from authenticator")
        #expect(try await complaint(database)?.contains("migrate") == true)
        #expect(try await complaint(TestDatabase(template: "template0"))?.contains("migrate") == true)
    }
}
