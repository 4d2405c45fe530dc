import Enforcement
import Foundation
import GRDB

/// A database as a file of its own, made while the box records, or looked at before it is restored.
package enum DatabaseCopy {
    /// What is in a copy.
    package struct Contents: Sendable, Equatable {
        package var passages: Int
        package var waiting: Int
        package var accounts: Int
        package var lastPassageAt: Instant?
        package var bytes: Int

        /// The posts that recorded the passages: one, unless the box was moved.
        package var posts: Set<String> = []
    }

    /// Opens a copy and looks whether it is whole.
    ///
    /// - Throws: `StoreError`; of kind `newerVersion` when this program can't work with it, `unknown` when it is no backup at all.
    package static func check(_ path: String) throws -> Contents {
        guard isDatabase(path) else { throw none(path) }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(5)")
                guard findings == ["ok"] else {
                    throw StoreError(
                        .corrupt, "The database at \(path) is damaged: \(findings.joined(separator: "; ")).",
                        hint: "Take an older backup.")
                }
                guard try ["passages", "sync_queue", "users"].allSatisfy({ try db.tableExists($0) }) else {
                    throw none(path)
                }
                guard try !Migrations.migrator.hasBeenSuperseded(db) else {
                    throw StoreError(
                        .newerVersion, "The database at \(path) was written by a newer version of checkpost.",
                        hint: "Install that version, or take an older backup.")
                }
                func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
                return Contents(
                    passages: try count("SELECT count(*) FROM passages"),
                    waiting: try count("SELECT count(*) FROM sync_queue WHERE status <> 'synced'"),
                    accounts: try count("SELECT count(*) FROM users"),
                    lastPassageAt: try Int64.fetchOne(db, sql: "SELECT max(recorded_at) FROM passages")
                        .map(Instant.init(milliseconds:)),
                    bytes: (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0,
                    posts: try Set(String.fetchAll(db, sql: "SELECT DISTINCT checkpost_code FROM passages")))
            }
        } catch let error as DatabaseError {
            guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
                throw StoreError(error, tried: "Looking at the copy", path: path)
            }
            throw StoreError(.corrupt, "The database at \(path) is damaged.", hint: "Take an older backup.")
        }
    }

    private static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    private static func none(_ path: String) -> StoreError {
        let isThere = FileManager.default.fileExists(atPath: path)
        return StoreError(
            .unknown, isThere ? "\(path) is no backup of checkpost." : "There is no file \(path).",
            hint: "Name a file that `checkpost backup` made, such as BNP-A-20261123T030000Z.sqlite.")
    }
}

extension Store {
    /// Copies the database to a new file, whole and of one moment, while it is written on. Nothing waits for it.
    ///
    /// The copy is opened and checked before it gets its name, so that what has the name is good.
    ///
    /// - Throws: `StoreError`, also when the copy turns out to lack what is here.
    package func copy(to path: String) throws -> DatabaseCopy.Contents {
        let unfinished = path + ".part"
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) } }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
        let before = try read("Counting passages") { try Int.fetchOne($0, sql: "SELECT count(*) FROM passages") ?? 0 }
        do {
            let queue = try DatabaseQueue(path: unfinished)
            try pool.backup(to: queue)
            // One file that can be opened from a medium that takes no more writing.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try queue.close()
        } catch let error as DatabaseError {
            let said = StoreError(error, tried: "Copying the database", path: unfinished)
            guard said.kind == .diskFull else { throw said }
            throw StoreError(
                .diskFull, "The copy doesn't fit on the disk at \(path).",
                hint: "Make room there, or take a larger medium.")
        }
        let contents = try DatabaseCopy.check(unfinished)
        // Removing old passages may go on meanwhile, a little at a time; a copy without any where there were some is none.
        guard contents.passages > 0 || before == 0 else {
            throw StoreError(.corrupt, "The copy at \(path) lacks the passages that are here.")
        }
        do {
            try DurableFile.sync(URL(fileURLWithPath: unfinished))
            guard rename(unfinished, path) == 0 else {
                throw DurableFile.Failure(tried: "Naming the file", path: path, code: errno)
            }
            try DurableFile.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent())
        } catch let error as DurableFile.Failure {
            throw StoreError(.other, "\(error.tried) \(error.path) failed: \(error.reason).")
        }
        return contents
    }
}
