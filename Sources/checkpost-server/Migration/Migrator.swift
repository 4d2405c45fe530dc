import Foundation

/// Applies SQL files in the order of their names, each once, and then puts the functions in place; all of it in one transaction.
///
/// What was applied is recorded with its SHA-256. A migration that changed afterwards is an error, because the database would no longer be
/// what the files say; a function that changed is made anew.
package struct Migrator {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// What a run did, by name.
    package struct Changes: Sendable, Equatable {
        package var migrations: [String] = []
        package var replacedFunctions: [String] = []
        package var droppedFunctions: [String] = []

        package init() {}
    }

    private let files: [MigrationFile]
    private let functions: FunctionReplacer

    /// With what this program was built with, or with others. Without any functions those of the database are left alone.
    package init(files: [MigrationFile] = EmbeddedMigrations.all, functions: [FunctionFile] = EmbeddedFunctions.all) {
        self.files = files
        self.functions = FunctionReplacer(files: functions)
    }

    /// Brings the database up to date. When anything fails, nothing was changed.
    ///
    /// - Parameter isTrial: all of it is done and taken back: the database stays as it was.
    package func migrate(_ connection: PostgresConnection, isTrial: Bool = false) throws -> Changes {
        do {
            return try apply(connection, isTrial: isTrial)
        } catch let trial as Trial {
            return trial.changes
        }
    }

    /// What takes a trial back.
    private struct Trial: Error {
        var changes: Changes
    }

    private func apply(_ connection: PostgresConnection, isTrial: Bool) throws -> Changes {
        // Two servers that start at the same moment must not apply the same file twice.
        try connection.run("select pg_advisory_lock(7214, 2)")
        defer { _ = try? connection.run("select pg_advisory_unlock(7214, 2)") }
        return try connection.transaction { connection in
            var changes = Changes()
            try connection.runScript(
                """
                create schema if not exists checkpost;
                create table if not exists checkpost.schema_migrations (
                    name text primary key, sha256 text not null, applied_at timestamptz not null default now());
                """)
            for file in try pending(connection) {
                try apply(file, connection)
                changes.migrations.append(file.name)
            }
            if !functions.files.isEmpty {
                (changes.replacedFunctions, changes.droppedFunctions) = try functions.replace(connection)
            }
            if isTrial { throw Trial(changes: changes) }
            return changes
        }
    }

    /// Each migration that the program or the database knows, by name, with when it was applied; and what stands against serving.
    package func status(_ connection: PostgresConnection) throws -> (lines: [String], complaint: String?) {
        let hasList = try connection.run("select to_regclass('checkpost.schema_migrations') is not null").scalar == "t"
        guard hasList else {
            return (
                files.map { "\($0.name)  to be applied" },
                "The database has no tables yet. Run `checkpost-server migrate`."
            )
        }
        let rows = try connection.run(
            """
            select name, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI"Z"') from checkpost.schema_migrations
            """
        ).rows
        let applied = Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
        let difference = try difference(connection)
        let names = Set(files.map(\.name)).union(applied.keys).sorted()
        let lines = names.map { name in
            let word =
                difference.changed.contains(name)
                ? "  with another text than this program's"
                : difference.unknown.contains(name) ? "  unknown to this program" : ""
            return "\(name)  " + (applied[name].map { "applied \($0)" } ?? "to be applied") + word
        }
        var complaint: String?
        do { try check(connection) } catch let failure as Failure { complaint = failure.description }
        return (lines, complaint)
    }

    /// The files that are still to be applied.
    private func pending(_ connection: PostgresConnection) throws -> [MigrationFile] {
        var difference = try difference(connection)
        let missing = Set(difference.missing)
        difference.missing = []
        if let complaint = difference.complaint { throw Failure(description: complaint) }
        return files.filter { missing.contains($0.name) }
    }

    private func apply(_ file: MigrationFile, _ connection: PostgresConnection) throws {
        do {
            try connection.runScript(try isGuestInStorage(connection) ? file.textForGuest : file.text)
            try connection.run(
                "insert into checkpost.schema_migrations (name, sha256) values ($1, $2)", [file.name, file.sha256])
        } catch {
            throw Failure(description: "\(file.name) failed, and nothing was changed: \(error)")
        }
    }

    /// Throws what is wrong with the database for this program, and what to do about it. It needs no more than the gateway's own rights.
    package func check(_ connection: PostgresConnection) throws {
        do {
            if let complaint = try difference(connection).complaint { throw Failure(description: complaint) }
            let difference = try connection.transaction(readsOnly: true) { try functions.difference($0) }
            if let complaint = difference.complaint { throw Failure(description: complaint) }
        } catch let error as PostgresError where ["42P01", "3F000", "42501"].contains(error.sqlState) {
            // No schema, no list, or one from before the gateway was let look at it.
            throw Failure(
                description: "The database has no tables yet, or older ones. Run `checkpost-server migrate` first.")
        }
    }

    /// The statements for policies of `storage.objects` that are not there, since the role of this connection may not make them.
    package func missingStoragePolicies(_ connection: PostgresConnection) throws -> [String] {
        let rows = try connection.run(
            "select polname from pg_policy where polrelid = to_regclass('storage.objects')")
        let present = Set(rows.rows.compactMap { $0[0] })
        return MigrationFile.storagePolicies(files).filter { !present.contains($0.key) }.sorted { $0.key < $1.key }
            .map(\.value)
    }

    /// Whether `storage.objects` is somebody else's. Before the first migration of a plain cluster it isn't there.
    private func isGuestInStorage(_ connection: PostgresConnection) throws -> Bool {
        try connection.run(
            "select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('storage.objects')"
        ).scalar == "f"
    }

    private func difference(_ connection: PostgresConnection) throws -> MigrationDifference {
        let rows = try connection.run("select name, sha256 from checkpost.schema_migrations").rows
        let applied = Dictionary(
            rows.compactMap { row in row[0].flatMap { name in row[1].map { (name, $0) } } }, uniquingKeysWith: { $1 })
        return MigrationDifference(known: files, applied: applied)
    }
}
