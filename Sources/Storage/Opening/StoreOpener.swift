import Foundation
import GRDB

/// Opens the database's file, now or later.
///
/// On a full disk SQLite can't open a database at all: it needs 32 KB beside it, even to read. A box that starts there goes on, and
/// the first call after there is room opens it.
final class StoreOpener: @unchecked Sendable {
    private let path: String
    private let migrator: DatabaseMigrator
    private let maximumPages: Int?
    private let observer: any TransactionObserver

    /// Guards what follows.
    private let lock = NSLock()
    private var pool: DatabasePool?
    private var failure: (error: StoreError, nextTry: ContinuousClock.Instant)?
    private var isClosed = false
    private var identity: FileIdentity?

    /// The log of what was written and is not in the file yet, as it was seen first.
    private var logIdentity: FileIdentity?

    /// How long a writer waits for another process, in seconds.
    static let busyTimeout = 10.0

    /// A database that can't be opened is tried again at most this often.
    private static let retryInterval = Duration.milliseconds(500)

    /// - Parameter maximumPages: makes the database behave as on a full disk beyond this size; for tests.
    init(path: String, migrator: DatabaseMigrator, maximumPages: Int?, observer: any TransactionObserver) {
        self.path = path
        self.migrator = migrator
        self.maximumPages = maximumPages
        self.observer = observer
    }

    /// The open database; opens it when it isn't.
    func open() throws -> DatabasePool {
        try lock.withLock {
            if let pool { return pool }
            if isClosed { throw StoreError(.other, "The database at \(path) is closed.") }
            if let failure, failure.nextTry > .now { throw failure.error }
            do {
                let opened = try makePool()
                pool = opened
                identity = FileIdentity(path: path)
                failure = nil
                return opened
            } catch let error as DatabaseError {
                throw remember(StoreError(error, tried: "Opening the database", path: path))
            } catch let error as StoreError {
                throw remember(error)
            }
        }
    }

    /// What became of the file that is open; nil while it is in its place. SQLite goes on in a file that was removed or emptied.
    func misplacement() -> String? {
        let identity: FileIdentity? = lock.withLock { isClosed ? nil : self.identity }
        guard let identity else { return nil }
        guard let now = FileIdentity(path: path) else { return errno == ENOENT ? "was removed" : nil }
        if now.isEmpty { return "was emptied" }
        return now.isSameFile(as: identity) ? nil : "was replaced by another file"
    }

    /// Whether the disk of the open file was unmounted: what is written still reaches it, as long as somebody has it open.
    func isDiskGone() -> Bool {
        guard let device = lock.withLock({ isClosed ? nil : identity?.device }) else { return false }
        // A folder below a mount point goes with its disk.
        return DiskIdentity.device(ofNearest: path).map { $0 != device } ?? false
    }

    /// Whether the log beside the open file was taken away. SQLite keeps it as long as anybody has the file open, and goes on in the one that
    /// has no name any more: whoever opens the file next doesn't see what was written since.
    func isLogGone() -> Bool {
        let log = FileIdentity(path: path + "-wal")
        return lock.withLock {
            guard !isClosed, pool != nil else { return false }
            guard let known = logIdentity else {
                logIdentity = log
                return false
            }
            return log?.isSameFile(as: known) != true
        }
    }

    /// Brings what is in the log into the file, unless somebody wrote into a new log meanwhile: the two don't go together.
    ///
    /// Where another process brought it home, ours is empty, and the new log began after that.
    ///
    /// - Returns: whether it is all there.
    func bringHomeLog() -> Bool {
        if lock.withLock({ logIdentity })?.asOpen()?.isEmpty == true { return true }
        guard FileIdentity(path: path + "-wal")?.isEmpty != false, let pool = lock.withLock({ pool }) else {
            return false
        }
        do {
            return try pool.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
            }
        } catch {
            return false
        }
    }

    func close() throws {
        try lock.withLock {
            isClosed = true
            try pool?.close()
        }
    }

    private func remember(_ error: StoreError) -> StoreError {
        failure = (error, .now + Self.retryInterval)
        return error
    }

    private func makePool() throws -> DatabasePool {
        let pool = try connect()
        try pool.writeWithoutTransaction { db in
            // Opening in WAL mode sets synchronous to NORMAL behind our back, and commits then don't reach the disk. So
            // it is set here, on the connection that writes, and read back.
            try db.execute(cached: "PRAGMA synchronous = FULL")
            // Truncates the log after a checkpoint, so that one long day does not keep its size for good.
            try db.execute(cached: "PRAGMA journal_size_limit = 67108864")
            if let maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
            guard try Int.fetchOne(db, cached: "PRAGMA synchronous") == 2 else {
                throw StoreError(
                    .other,
                    "The database at \(path) can't be set to synchronous=FULL: a power cut would lose passages.")
            }
        }
        pool.add(transactionObserver: observer)
        return pool
    }

    /// Opens the file, and again while another process does at the same moment.
    ///
    /// SQLite doesn't wait for its busy timeout where waiting might never end: when a file becomes a WAL database, and when
    /// its last user closes it. Whoever comes then is told at once that it is locked.
    private func connect() throws -> DatabasePool {
        let deadline = Date(timeIntervalSinceNow: Self.busyTimeout)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: Self.configuration())
                if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
                    throw newerVersion(try pool.read { UsableBackup(of: $0, migrator: migrator) })
                }
                try migrate(pool)
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
    private func migrate(_ pool: DatabasePool) throws {
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

    /// - Parameter backup: nil when none is known that this version could go back to.
    private func newerVersion(_ backup: UsableBackup?) -> StoreError {
        let back =
            backup.map {
                "or go back to the backup of \($0.madeAt.nepalText): stop the appliance, then `checkpost restore \($0.path)`. What was "
                    + "recorded since comes back from the server."
            }
            ?? "or restore a backup that was made before the update: `checkpost restore FILE`. None that fits is listed here."
        return StoreError(
            .newerVersion, "The database at \(path) was written by a newer version of checkpost; nothing was changed.",
            hint: "Install that version again, \(back)")
    }
}
