import Enforcement
import Foundation
import GRDB

/// The appliance's database: everything that has to outlive a power cut.
///
/// It maps the domain to rows and back, and decides nothing. Each method that writes is one `BEGIN IMMEDIATE` transaction
/// with `synchronous=FULL`: when it returns, what it wrote is on the disk. Several processes may have one database open; a
/// writer waits up to `busyTimeout` for another.
///
/// All methods throw `StoreError`.
package final class Store: Sendable {
    package let path: String
    let pool: DatabasePool
    let changeHub: ChangeHub

    /// Asked around every call; nil outside of simulations.
    private let probe: Probe?

    /// What a simulation uses to make a disk fail, or a power cut come, between any two calls. What it throws, the call throws.
    package typealias Probe = @Sendable (ProbeMoment) throws -> Void

    package enum ProbeMoment: Sendable {
        case beforeRead, beforeWrite, afterWrite
    }

    /// How long a writer waits for another process, in seconds.
    static let busyTimeout = 10.0

    /// Opens the database at `path`, making it when it isn't there, and brings its schema up to date.
    ///
    /// - Throws: `StoreError` of kind `newerVersion` when a newer version of the program wrote it: it is left as it is.
    package convenience init(path: String, probe: Probe? = nil) throws {
        try self.init(path: path, migrator: Migrations.migrator, maximumPages: nil, probe: probe)
    }

    /// - Parameter maximumPages: makes the database behave as on a full disk beyond this size; for tests.
    init(path: String, migrator: DatabaseMigrator, maximumPages: Int?, probe: Probe? = nil) throws {
        self.path = path
        self.probe = probe
        changeHub = ChangeHub()
        do {
            pool = try Self.open(path, migrator)
            try pool.writeWithoutTransaction { db in
                // Opening in WAL mode sets synchronous to NORMAL behind our back, and commits then don't reach the disk. So
                // it is set here, on the connection that writes, and read back.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // Truncates the log after a checkpoint, so that one long day does not keep its size for good.
                try db.execute(sql: "PRAGMA journal_size_limit = 67108864")
                if let maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
            }
            pool.add(transactionObserver: changeHub)
        } catch let error as DatabaseError {
            throw StoreError(error, tried: "Opening the database", path: path)
        }
        guard try synchronousLevel() == 2 else {
            throw StoreError(
                .other, "The database at \(path) can't be set to synchronous=FULL: a power cut would lose passages.")
        }
    }

    /// Opens the file, and again while another process does at the same moment.
    ///
    /// SQLite doesn't wait for its busy timeout where waiting might never end: when a file becomes a WAL database, and when
    /// its last user closes it. Whoever comes then is told at once that it is locked.
    private static func open(_ path: String, _ migrator: DatabaseMigrator) throws -> DatabasePool {
        let deadline = Date(timeIntervalSinceNow: busyTimeout)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration())
                if try pool.read({ try migrator.hasBeenSuperseded($0) }) { throw newerVersion(path) }
                try migrate(pool, with: migrator)
                return pool
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Date() < deadline {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    /// Brings the schema up to date, alone or together with other processes.
    ///
    /// The library lists the missing migrations before it takes the lock, so another process may have made one in between.
    /// That fails here, and is tried again as long as the list grows.
    private static func migrate(_ pool: DatabasePool, with migrator: DatabaseMigrator) throws {
        while true {
            let before = try pool.read { try migrator.appliedIdentifiers($0) }
            do {
                return try migrator.migrate(pool)
            } catch let error as DatabaseError {
                guard try pool.read({ try migrator.appliedIdentifiers($0) }) != before else { throw error }
            }
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = 4
        return configuration
    }

    private static func newerVersion(_ path: String) -> StoreError {
        StoreError(
            .newerVersion, "The database at \(path) was written by a newer version of checkpost; nothing was changed.",
            hint: "Install that version again, or restore the backup that was made before the update.")
    }

    /// What `PRAGMA synchronous` says on the connection that writes: 2 is FULL.
    package func synchronousLevel() throws -> Int {
        try guarded("Reading the database's settings") {
            try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") ?? -1 }
        }
    }

    /// Looks for damage; bounded to the first few findings.
    ///
    /// - Returns: nil when the file is sound.
    package func findDamage() throws -> String? {
        let findings = try read("Checking the database") { try String.fetchAll($0, sql: "PRAGMA quick_check(5)") }
        return findings == ["ok"] ? nil : findings.joined(separator: "; ")
    }

    /// Waits for what is being written and closes the file. Nothing may be called afterwards.
    package func close() throws {
        changeHub.finish()
        try guarded("Closing the database") { try pool.close() }
    }
}

extension Store {
    /// Runs one transaction that takes the write lock at once, so that it never fails half way for another's sake.
    func write<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T {
        try guarded(tried) {
            try probe?(.beforeWrite)
            let result = try pool.writeWithoutTransaction { db in
                var result: T?
                try db.inTransaction(.immediate) {
                    result = try work(db)
                    return .commit
                }
                guard let result else { throw StoreError(.other, "\(tried) failed at \(path): nothing was done.") }
                return result
            }
            try probe?(.afterWrite)
            return result
        }
    }

    /// Reads one consistent state.
    func read<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T {
        try guarded(tried) {
            try probe?(.beforeRead)
            return try pool.read(work)
        }
    }

    private func guarded<T>(_ tried: String, _ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch let error as DatabaseError {
            throw StoreError(error, tried: tried, path: path)
        } catch let error as DecodingError {
            throw StoreError(.unreadable, "\(tried) found a text that makes no sense at \(path): \(error).")
        } catch let error as RowDecodingError {
            throw StoreError(.unreadable, "\(tried) found a row that makes no sense at \(path): \(error).")
        }
    }
}
