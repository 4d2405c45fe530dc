import Foundation

/// Applies SQL files in the order of their names, each once, each in its own transaction.
///
/// What was applied is recorded with its SHA-256: a file that changed afterwards is an error, because the database would
/// no longer be what the files say.
package struct Migrator {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private let files: [MigrationFile]

    /// With the migrations that this program was built with, or others.
    package init(files: [MigrationFile] = EmbeddedMigrations.all) {
        self.files = files
    }

    package init(folder: String) throws {
        self.init(files: try MigrationFile.files(inFolder: folder))
    }

    /// Applies what is missing and returns its names.
    package func migrate(_ connection: PostgresConnection) throws -> [String] {
        // Two servers that start at the same moment must not apply the same file twice.
        try connection.run("select pg_advisory_lock(7214, 2)")
        defer { _ = try? connection.run("select pg_advisory_unlock(7214, 2)") }
        try connection.runScript(
            """
            create schema if not exists checkpost;
            create table if not exists checkpost.schema_migrations (
                name text primary key, sha256 text not null, applied_at timestamptz not null default now());
            """)
        var difference = try difference(connection)
        let missing = Set(difference.missing)
        difference.missing = []
        if let complaint = difference.complaint { throw Failure(description: complaint) }
        var new: [String] = []
        for file in files where missing.contains(file.name) {
            do {
                try connection.transaction { connection in
                    try connection.runScript(file.text)
                    try connection.run(
                        "insert into checkpost.schema_migrations (name, sha256) values ($1, $2)",
                        [file.name, file.sha256])
                }
            } catch {
                throw Failure(description: "\(file.name) failed and was rolled back: \(error)")
            }
            new.append(file.name)
        }
        return new
    }

    /// Throws what is wrong with the database for this program, and what to do about it. It needs no more than the gateway's own rights.
    package func check(_ connection: PostgresConnection) throws {
        do {
            if let complaint = try difference(connection).complaint { throw Failure(description: complaint) }
        } catch let error as PostgresError where ["42P01", "3F000", "42501"].contains(error.sqlState) {
            // No schema, no list, or one from before the gateway was let look at it.
            throw Failure(
                description: "The database has no tables yet, or older ones. Run `checkpost-server migrate` first.")
        }
    }

    private func difference(_ connection: PostgresConnection) throws -> MigrationDifference {
        let rows = try connection.run("select name, sha256 from checkpost.schema_migrations").rows
        let applied = Dictionary(
            rows.compactMap { row in row[0].flatMap { name in row[1].map { (name, $0) } } }, uniquingKeysWith: { $1 })
        return MigrationDifference(known: files, applied: applied)
    }
}
