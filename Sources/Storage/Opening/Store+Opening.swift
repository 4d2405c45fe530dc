import Enforcement
import Foundation
import GRDB

extension Store {
    /// A database as `checkpost run` gets it, whatever state its file is in.
    package struct Opening: Sendable {
        package var store: Store

        /// Why it isn't open yet; nil when it is. It opens by itself as soon as it can, and until then its calls fail.
        package var waitsFor: StoreError?

        /// What was wrong with the file that was there, and where it is now; nil when nothing was.
        package var setAside: SetAside?
    }

    package struct SetAside: Sendable, Equatable {
        package var reason: String

        /// The damaged database, kept as it was.
        package var path: String
    }

    /// How a search for damage ended.
    package enum Soundness: Sendable, Equatable {
        case sound
        case damaged(String)
        /// It took too long, or could not be made.
        case unknown
    }

    /// Opens the database of a box at its start, before anybody else has it open, so that recording goes on:
    ///
    /// - A damaged file is set aside with its photos, kept, and a new one is begun. It is found by the mark that an earlier run left
    ///   when SQLite spoke of damage, by a check that takes at most `checkSeconds`, or by failing to open.
    /// - On a full disk, or one that gives errors, the store comes unopened.
    ///
    /// - Throws: `StoreError` when waiting would not help: a newer version's file, a folder that isn't there.
    package static func openForRun(path: String, at now: Instant, checkSeconds: Double = 3) throws -> Opening {
        var setAside: SetAside?
        if let reason = damageAtStart(path: path, checkSeconds: checkSeconds) {
            setAside = try Self.setAside(path: path, because: reason, at: now)
        }
        func open() throws -> Opening {
            let store = try Store(path: path)
            if setAside != nil { try store.beginAfterLoss(at: now) }
            try store.unwatched.noteRun(at: now)
            return Opening(store: store, setAside: setAside)
        }
        do {
            do {
                return try open()
            } catch let error as StoreError where error.isFileDamaged && setAside == nil {
                setAside = try Self.setAside(path: path, because: error.message, at: now)
                return try open()
            }
        } catch let error as StoreError where [.diskFull, .busy, .diskError, .other].contains(error.kind) {
            return Opening(store: Store(waitingAt: path), waitsFor: error, setAside: setAside)
        }
    }

    /// Opens the database for one of several processes that have it open. On a full disk, or one that gives errors, it comes unopened and opens
    /// by itself; a damaged file is left where it is.
    package static func openForPart(path: String) throws -> Store {
        do {
            return try Store(path: path)
        } catch let error as StoreError
            where !error.isFileDamaged && [.diskFull, .busy, .diskError, .other].contains(error.kind)
        {
            return Store(waitingAt: path)
        }
    }

    /// Damaged databases that were set aside here and are still there.
    package static func setAsideFiles(path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        return names.filter {
            $0.hasPrefix(url.lastPathComponent + ".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }.sorted()
    }

    /// Whether nothing is left in a database that was set aside, nor in its log: somebody removed or emptied it.
    package static func isEmpty(setAside path: String) -> Bool {
        ["", "-wal"].allSatisfy { FileIdentity(path: path + $0)?.isEmpty != false }
    }

    /// Looks for damage in the file, on a connection of its own, for at most so many seconds.
    ///
    /// What it finds is marked for the next start, and told to whoever asked by `onDamage`.
    @discardableResult
    package func checkSoundness(seconds: Double) -> Soundness {
        let soundness = Self.soundness(path: path, seconds: seconds)
        if case .damaged(let finding) = soundness {
            var error = StoreError(
                .corrupt, "The database at \(path) is damaged: \(finding).",
                hint: "`checkpost run` sets it aside at its next start and records in a new one.")
            error.isFileDamaged = true
            noteDamage(error)
        }
        return soundness
    }

    /// Looks whether the file that is open is still in its place: what is written into one that was removed or emptied is gone.
    ///
    /// What it finds is marked for the next start, and told to whoever asked by `onDamage`.
    package func checkPlace() {
        guard let finding = misplacement() else { return checkLog() }
        guard !isDiskGone() else {
            return tellToReopen(
                StoreError(
                    .cannotOpen, "The disk with the database at \(path) is not mounted any more.",
                    hint: "Mount it again: what was written is on it."))
        }
        var error = StoreError(
            .corrupt, "The database at \(path) \(finding) while it was open.",
            hint: "`checkpost run` sets aside what is left of it at its next start and records in a new one.")
        error.isFileDamaged = true
        noteDamage(error)
    }

    /// A log that was removed is brought home from the connection that still has it open. Where that can't be, the file is damaged.
    private func checkLog() {
        guard isLogGone() else { return }
        let isHome = bringHomeLog()
        var error = StoreError(
            .corrupt,
            "The log of the database at \(path) was removed while it was open"
                + (isHome ? "; what was in it is saved." : ", and a new one was begun beside it."),
            hint: "Leave the files of the data folder alone while the box runs: \(path)-wal is a part of the database.")
        error.isFileDamaged = true
        if isHome { tellToReopen(error) } else { noteDamage(error) }
    }

    /// Writes one page as a passage is written, synced, and nothing that anybody would read.
    ///
    /// - Returns: how long it took.
    @discardableResult
    package func tryWriting() throws -> TimeSpan {
        let began = ContinuousClock.now
        try write("Trying to write the database") { db in
            // Set to what it is: SQLite writes the page all the same.
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        let (seconds, attoseconds) = (ContinuousClock.now - began).components
        return .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Looks for damage without a bound of time; nil when the file is sound.
    package func findDamage() throws -> String? {
        let findings = try read("Checking the database") { try String.fetchAll($0, cached: "PRAGMA quick_check(5)") }
        return findings == ["ok"] ? nil : findings.joined(separator: "; ")
    }

    private static let markCheckSeconds = 20.0

    private static func damageAtStart(path: String, checkSeconds: Double) -> String? {
        let mark = DamageMark(path: path)
        let lines = mark.lines
        guard FileIdentity(path: path)?.isEmpty == false else { return lines.last ?? lossAtStart(path: path) }
        // SQLite said so in two runs: what a check says then is of no weight.
        if lines.count > 1, let last = lines.last { return last }
        switch soundness(path: path, seconds: lines.isEmpty ? checkSeconds : markCheckSeconds) {
        case .damaged(let finding): return finding
        case .sound, .unknown: return nil
        }
    }

    /// Photos without a database: somebody removed or emptied it while no box ran.
    private static func lossAtStart(path: String) -> String? {
        let names = FileManager.default.enumerator(atPath: photoFolder(of: path))
        return names?.nextObject() == nil ? nil : "the database is gone, and its photos are here"
    }

    private static func photoFolder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("photos").path
    }

    private static func soundness(path: String, seconds: Double) -> Soundness {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // It is kept until its time has come, called off or not; the file must not stay open so long.
            let alarm = DispatchWorkItem { [weak queue] in queue?.interrupt() }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: alarm)
            defer { alarm.cancel() }
            let findings = try queue.read { try String.fetchAll($0, cached: "PRAGMA quick_check(20)") }
            // A row that breaks a rule of the schema is no damage of the file.
            let damage = findings.filter {
                $0 != "ok" && !$0.hasPrefix("CHECK constraint failed") && !$0.hasPrefix("NULL value in")
            }
            return damage.isEmpty ? .sound : .damaged(damage.prefix(5).joined(separator: "; "))
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            return .damaged(error.message ?? "SQLite calls it damaged")
        } catch {
            return .unknown
        }
    }

    /// Renames the database, its log and the folder of its photos, so that they are kept and not touched again.
    private static func setAside(path: String, because reason: String, at now: Instant) throws -> SetAside {
        let stamp = now.iso8601.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
        var aside = "\(path).damaged-\(stamp)"
        var number = 2
        while FileManager.default.fileExists(atPath: aside) {
            aside = "\(path).damaged-\(stamp)-\(number)"
            number += 1
        }
        // The log second: a crash in between leaves a log without its file, which SQLite removes.
        for suffix in ["", "-wal"] where rename(path + suffix, aside + suffix) != 0 && errno != ENOENT {
            throw StoreError(
                .corrupt,
                "The database at \(path) is damaged (\(reason)) and can't be set aside: \(String(cString: strerror(errno))).",
                hint: "Make its folder writable for the user that runs checkpost, or move the file aside and keep it.")
        }
        unlink(path + "-shm")
        // Where nothing was left an empty file stands for it: the alarm holds as long as that is there.
        if !FileManager.default.fileExists(atPath: aside) {
            _ = FileManager.default.createFile(atPath: aside, contents: nil)
        }
        // Nothing refers to the photos from the new database, which would take them for rubbish.
        let photos = photoFolder(of: path)
        rename(photos, "\(photos).damaged-\(stamp)")
        DamageMark(path: path).remove()
        try? DurableFile.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent())
        return SetAside(reason: reason, path: aside)
    }
}
