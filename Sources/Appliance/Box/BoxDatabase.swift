import Enforcement
import Foundation
import Logging
import Storage

/// The database of a box that runs: made fit for its parts at the start, and watched for damage by each of them.
enum BoxDatabase {
    /// What a part ends with when its database turns out to be damaged: the supervisor then starts anew and sets the file aside.
    static let damagedExitCode: Int32 = 75

    /// What the rounds end with when the disk of the data folder is mounted again, or went as the box began: the supervisor then starts anew.
    static let diskMovedExitCode: Int32 = 76

    /// Sets a damaged file aside. Call it before any part has the database open, and hold the `RunLock`: the file is moved.
    ///
    /// - Parameter tell: says what else is to be known of this start.
    /// - Throws: `StoreError` when waiting would not help: a newer version's file, a folder that isn't there.
    static func prepare(_ configuration: Configuration, log: Logger, tell: (AlarmBoard) -> Void = { _ in }) throws {
        let opening = try Store.openForRun(path: configuration.databasePath, at: BoxClock.now)
        defer { try? opening.store.close() }
        if let waitsFor = opening.waitsFor {
            return log.critical(
                "the database can't be opened yet; recording waits in memory", metadata: ["error": "\(waitsFor)"])
        }
        let alarms = AlarmBoard(store: opening.store, log: log)
        tell(alarms)
        try DiskNews(configuration).tell(alarms, standIn: opening.store, at: BoxClock.now)
        report(setAside: opening.setAside, path: configuration.databasePath, to: alarms)
        // With its keys: the chain that was begun meanwhile goes on here.
        Homecoming(configuration, store: opening.store, alarms: alarms, log: log).begin(at: BoxClock.now)
        EvidenceKeeper(store: opening.store, alarms: alarms, log: log).look(at: BoxClock.now)
        // Before the cameras begin: a picture that was answered for is not read once more.
        if let aside = opening.setAside {
            SalvageWorker(configuration, store: opening.store, alarms: alarms, log: log).takeFirst(of: aside.path)
        }
    }

    /// The database for a part. What records and what people look at begin without it on a full disk; the others end and are started
    /// again until there is room.
    static func open(_ configuration: Configuration, _ desk: PartDesk, log: Logger) throws -> Store {
        do {
            let store =
                switch desk.part {
                case .camera, .rounds, .console: try Store.openForPart(path: configuration.databasePath)
                case .sync, .sms, .trigger, .peer: try Store(path: configuration.databasePath)
                }
            store.onDamage { error in
                log.critical("the box starts anew", metadata: ["error": "\(error)"])
                exit(damagedExitCode)
            }
            watch(store, desk)
            return store
        } catch let error as StoreError where error.isFileDamaged {
            log.critical("the database is damaged; the box starts anew", metadata: ["error": "\(error)"])
            exit(damagedExitCode)
        }
    }

    private static let interval = 2.0

    /// SQLite itself doesn't notice that its file was removed or emptied; and a part that waits for it can't say so.
    private static func watch(_ store: Store, _ desk: PartDesk) {
        for look in [Look.noticing, .trying] {
            let thread = Thread { [weak store] in
                var watch = store.map { DatabaseWatch($0, of: desk) }
                while let open = store {
                    switch look {
                    case .noticing:
                        open.checkPlace()
                        watch?.look()
                    // So that trouble is seen to be over by a part that has nothing to write.
                    case .trying: if open.trouble != nil { _ = try? open.tryWriting() }
                    }
                    Thread.sleep(forTimeInterval: interval)
                }
            }
            thread.name = "database"
            thread.start()
        }
    }

    /// Each on a thread of its own: a try waits for whoever holds the database, and what is noticed must not.
    private enum Look: Sendable { case noticing, trying }

    /// The alarm stays while a damaged database lies in the data folder.
    private static func report(setAside: Store.SetAside?, path: String, to alarms: AlarmBoard) {
        let files = Store.setAsideFiles(path: path)
        guard !files.isEmpty else { return alarms.clear("database.damaged") }
        let reason = setAside.map { " What was found: \(String(sentence: $0.reason))" } ?? ""
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let list = files.joined(separator: ", ")
        if files.allSatisfy({ Store.isEmpty(setAside: folder.appendingPathComponent($0).path) }) {
            return alarms.raise(
                "database.damaged", .critical,
                "The database was removed or emptied, and recording went on in a new one. What had not been sent is lost but for its "
                    + "photos.\(reason)",
                hint:
                    "Find out who did it. Keep the photos, which were set aside beside \(list); move both elsewhere, and the next "
                    + "start clears this.")
        }
        alarms.raise(
            "database.damaged", .critical,
            "The database was damaged. It was set aside with its photos as \(list), and recording went on in a new one.\(reason)",
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
