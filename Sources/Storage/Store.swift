import Enforcement
import Foundation
import GRDB

/// The appliance's database: everything that has to outlive a power cut.
///
/// It maps the domain to rows and back, and decides nothing. What is asked of it by role stands in tables: `store.queue`,
/// `store.photos` and so on. Each method that writes is one `BEGIN IMMEDIATE` transaction with `synchronous=FULL`: when it
/// returns, what it wrote is on the disk. Several processes may have one database open; a writer waits up to `busyTimeout`
/// for another.
///
/// All methods throw `StoreError`.
package final class Store: Sendable {
    package let path: String
    let changeHub: ChangeHub
    let evidenceKeys: EvidenceKeys
    private let opener: StoreOpener
    private let damage: DamageWatch
    private let troubles = TroubleWatch()

    /// The open database. One that could not be opened at the start is opened here, as soon as that is possible.
    var pool: DatabasePool { get throws { try opener.open() } }

    /// Asked around every call; nil outside of simulations.
    private let probe: Probe?

    /// What a simulation uses to make a disk fail, or a power cut come, between any two calls. What it throws, the call throws.
    package typealias Probe = @Sendable (ProbeMoment) throws -> Void

    package enum ProbeMoment: Sendable {
        case beforeRead, beforeWrite, afterWrite
    }

    /// Opens the database at `path`, making it when it isn't there, and brings its schema up to date.
    ///
    /// - Throws: `StoreError` of kind `newerVersion` when a newer version of the program wrote it: it is left as it is.
    package convenience init(path: String, probe: Probe? = nil) throws {
        try self.init(path: path, migrator: Migrations.migrator, maximumPages: nil, probe: probe)
    }

    /// - Parameter maximumPages: makes the database behave as on a full disk beyond this size; for tests.
    convenience init(path: String, migrator: DatabaseMigrator, maximumPages: Int?, probe: Probe? = nil) throws {
        self.init(waitingAt: path, migrator: migrator, maximumPages: maximumPages, probe: probe)
        do {
            _ = try opener.open()
        } catch let error as StoreError {
            damage.look(error)
            throw error
        }
    }

    /// Opens nothing yet: the first call that can does.
    init(
        waitingAt path: String, migrator: DatabaseMigrator = Migrations.migrator, maximumPages: Int? = nil,
        probe: Probe? = nil
    ) {
        self.path = path
        self.probe = probe
        changeHub = ChangeHub()
        evidenceKeys = EvidenceKeys(dataFolder: URL(fileURLWithPath: path).deletingLastPathComponent())
        damage = DamageWatch(path: path)
        opener = StoreOpener(path: path, migrator: migrator, maximumPages: maximumPages, observer: changeHub)
    }

    /// Calls `act` once, from whatever thread meets it, when SQLite says that the file is damaged. The mark for the next start is
    /// written by then: `act` ends the process, and `openForRun` sets the file aside.
    package func onDamage(_ act: @escaping @Sendable (StoreError) -> Void) { damage.set(act) }

    /// Whether the database is open, or can be opened now.
    package var isOpen: Bool { (try? opener.open()) != nil }

    /// Why the database can't be used at present; nil while it can, as far as this process has tried.
    package var trouble: StoreError? { troubles.current }

    func misplacement() -> String? { opener.misplacement() }
    func isDiskGone() -> Bool { opener.isDiskGone() }

    /// Whether the open file is the one that its path leads to.
    package var isInPlace: Bool { opener.misplacement() == nil && !isDiskGone() }
    func isLogGone() -> Bool { opener.isLogGone() }
    func bringHomeLog() -> Bool { opener.bringHomeLog() }

    func noteDamage(_ error: StoreError) { damage.look(error) }
    func tellToReopen(_ error: StoreError) { damage.tell(error) }

    /// What `PRAGMA synchronous` says on the connection that writes: 2 is FULL.
    package func synchronousLevel() throws -> Int {
        try guarded("Reading the database's settings") {
            try pool.writeWithoutTransaction { try Int.fetchOne($0, cached: "PRAGMA synchronous") ?? -1 }
        }
    }

    /// Waits for what is being written and closes the file. Nothing may be called afterwards.
    package func close() throws {
        changeHub.finish()
        try guarded("Closing the database") { try opener.close() }
    }
}

extension Store {
    /// Runs one transaction that takes the write lock at once, so that it never fails half way for another's sake.
    func write<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T {
        try guarded(tried, isWriting: true) {
            try probe?(.beforeWrite)
            let result = try pool.writeWithoutTransaction { db in
                var result: T?
                try db.inTransaction(.immediate) {
                    result = try work(db)
                    try EvidenceTable.sign(db, with: evidenceKeys)
                    try changeHub.count(db)
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

    private func guarded<T>(_ tried: String, isWriting: Bool = false, _ work: () throws -> T) throws -> T {
        do {
            let result = try work()
            troubles.worked(isWriting: isWriting)
            return result
        } catch let error as DatabaseError {
            throw note(StoreError(error, tried: tried, path: path), isWriting: isWriting)
        } catch let error as StoreError {
            throw note(error, isWriting: isWriting)
        } catch let error as DecodingError {
            throw StoreError(
                .unreadable, "\(tried) found a text that makes no sense at \(path): \(String(sentence: error))")
        } catch let error as RowDecodingError {
            throw StoreError(
                .unreadable, "\(tried) found a row that makes no sense at \(path): \(String(sentence: error))")
        }
    }

    private func note(_ error: StoreError, isWriting: Bool) -> StoreError {
        damage.look(error)
        troubles.failed(error, isWriting: isWriting)
        return error
    }
}
