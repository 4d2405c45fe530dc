import Enforcement
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// The database of a box that runs: opened whatever state its file is in, and watched for damage.
struct BoxDatabase: Sendable {
    let store: Store
    private let opening: Store.Opening

    /// The database can't be opened yet.
    var isWaiting: Bool { opening.waitsFor != nil }

    /// What a process ends with when its database turns out to be damaged: the next start sets it aside.
    static let damagedExitCode: Int32 = 75

    /// Opens it. Call it once at the start, before another process has it open, and hold the `RunLock`: a damaged file is moved.
    static func open(_ configuration: Configuration, log: Logger) throws -> BoxDatabase {
        let opening = try Store.openForRun(path: configuration.databasePath, at: BoxClock.now)
        endWhenDamaged(opening.store, log: log)
        if let waitsFor = opening.waitsFor {
            log.critical(
                "the database can't be opened yet; recording waits in memory", metadata: ["error": "\(waitsFor)"])
        }
        return BoxDatabase(store: opening.store, opening: opening)
    }

    /// Ends the process when SQLite finds the file damaged, so that the next start can set it aside: other processes, and this one,
    /// have it open. For every process of a box that opens the database.
    static func endWhenDamaged(_ store: Store, log: Logger) {
        store.onDamage { error in
            log.critical("the database is damaged; this process ends for a new start", metadata: ["error": "\(error)"])
            exit(damagedExitCode)
        }
    }

    /// Says what was found.
    func report(to alarms: AlarmBoard) {
        if let waitsFor = opening.waitsFor {
            alarms.raise("database.open", .critical, waitsFor.message, hint: waitsFor.hint)
        } else {
            alarms.clear("database.open")
        }
        Self.report(setAside: opening.setAside, path: store.path, to: alarms)
    }

    /// The alarm stays while a damaged database lies in the data folder.
    private static func report(setAside: Store.SetAside?, path: String, to alarms: AlarmBoard) {
        let files = Store.setAsideFiles(path: path)
        guard !files.isEmpty else { return alarms.clear("database.damaged") }
        let reason = setAside.map { " It was found at this start: \($0.reason)." } ?? ""
        alarms.raise(
            "database.damaged", .critical,
            "The database was damaged. It was set aside with its photos as \(files.joined(separator: ", ")), and recording went on "
                + "in a new one.\(reason)",
            hint:
                "Keep these files: what was not synchronised is in them. Move them elsewhere, and the next start clears this."
        )
    }

    /// Looks for damage while the box records; at most a minute, once at the start and once a day.
    static func lookForDamage(in store: Store, log: Logger) {
        switch store.checkSoundness(seconds: 60) {
        case .sound: log.debug("the database is sound")
        case .damaged, .unknown: break
        }
    }
}

/// Ends a start that had no database, once there is one: cameras and console do without it for a while, the other parts need it from
/// their beginning.
struct EmergencyStart: Service {
    let store: Store
    let log: Logger

    /// Cameras try what they hold in memory every 10 seconds, so that it is written by then.
    private static let flushTime = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                guard store.isOpen else { continue }
                log.notice("the database is open; the box starts anew with all its parts in half a minute")
                try? await Task.sleep(for: Self.flushTime)
                return
            }
        }
        if !Task.isShuttingDownGracefully {
            throw CommandError("The database can be opened again.", hint: "The box starts anew, with all its parts.")
        }
    }
}
