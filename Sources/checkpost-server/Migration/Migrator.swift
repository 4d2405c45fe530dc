import Crypto
import Foundation

/// Applies the SQL files of a folder in the order of their names, each once, each in its own transaction.
///
/// What was applied is recorded with its SHA-256: a file that changed afterwards is an error, because the database would
/// no longer be what the files say.
package struct Migrator {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    /// Applies what is missing and returns its names.
    package func migrate(_ connection: PostgresConnection) throws -> [String] {
        let files = try sqlFiles()
        // Two servers that start at the same moment must not apply the same file twice.
        try connection.run("select pg_advisory_lock(7214, 2)")
        defer { _ = try? connection.run("select pg_advisory_unlock(7214, 2)") }
        try connection.runScript(
            """
            create schema if not exists checkpost;
            create table if not exists checkpost.schema_migrations (
                name text primary key, sha256 text not null, applied_at timestamptz not null default now());
            """)
        var applied = try appliedFiles(connection)
        if let unknown = applied.keys.filter({ name in !files.contains { $0.name == name } }).min() {
            throw Failure(
                description: "The database was migrated with \(unknown), which is not in \(folder). "
                    + "This program is older than the database; use the newer one.")
        }
        var new: [String] = []
        for file in files {
            if let known = applied.removeValue(forKey: file.name) {
                guard known == file.sha256 else {
                    throw Failure(
                        description: "\(file.name) was changed after it was applied. "
                            + "Put the old file back and add the change as a new one.")
                }
                continue
            }
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

    private func appliedFiles(_ connection: PostgresConnection) throws -> [String: String] {
        let rows = try connection.run("select name, sha256 from checkpost.schema_migrations").rows
        return Dictionary(
            rows.compactMap { row in row[0].flatMap { name in row[1].map { (name, $0) } } }, uniquingKeysWith: { $1 })
    }

    private struct SQLFile {
        var name: String
        var text: String
        var sha256: String
    }

    private func sqlFiles() throws -> [SQLFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Failure(
                description: "There is no folder \(folder). Name the one with the SQL files: --migrations FOLDER.")
        }
        let files = try names.filter { $0.hasSuffix(".sql") }.sorted().map { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
            let hash = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
            return SQLFile(name: name, text: String(decoding: data, as: UTF8.self), sha256: hash)
        }
        guard !files.isEmpty else { throw Failure(description: "\(folder) has no SQL files.") }
        return files
    }
}
