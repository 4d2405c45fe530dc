import Enforcement
import Foundation
import Logging
import Storage
import Synchronization

/// Brings home what was recorded in the spare folder while the disk of the data folder was away, and what a newer version of the program
/// recorded before the box went back from it.
final class Homecoming: Sendable {
    private let configuration: Configuration
    private let home: DataHome
    private let spare: String?
    private let store: Store
    private let photos: PhotoStore
    private let alarms: AlarmBoard
    private let log: Logger
    private let isDone = Mutex(false)

    /// The start doesn't wait longer: recording goes on within seconds.
    private static let firstSeconds = 3.0

    /// Older ones are history: nobody is alerted of them any more.
    private static let recent = TimeSpan.hours(48)
    private static let alarm = "disk.home"

    /// Of a folder that is not wholly home: another one that is doesn't end it.
    private static let keptAlarm = "disk.home.kept"
    private static let spareAlarm = "disk.spare"

    /// How often the spare folder is prepared: pictures of a folder that were answered for since then would be read once more there.
    /// With the link up the server would have such a vehicle twice.
    static let interval = TimeSpan.minutes(1)

    /// Nothing is brought to a database that stands in itself, nor to another disk before somebody said that it is meant.
    init(_ configuration: Configuration, store: Store, alarms: AlarmBoard, log: Logger) {
        home = DataHome(configuration)
        spare = configuration.dataFolder == home.folder && home.standing != .replaced ? home.spare : nil
        photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        (self.configuration, self.store, self.alarms, self.log) = (configuration, store, alarms, log)
    }

    /// Puts the records that were made meanwhile aside, so that the next absence begins with none, and takes over what the cameras need
    /// to know before they begin. Call it before any part runs.
    func begin(at now: Instant) {
        if let spare { putAside(spare, at: now) }
        takeFirst(at: now)
    }

    private func putAside(_ spare: String, at now: Instant) {
        let database = spare + "/data/checkpost.sqlite"
        if Presence.of(database) == .there, hasStoodIn(database) {
            var aside = "\(spare)/home-\(now.fileStamp)"
            while Presence.of(aside) != .absent { aside += "-2" }
            if rename(spare + "/data", aside) == 0 {
                concludeOpenSightings(of: aside, at: now)
            } else {
                log.error(
                    "what was recorded in the spare folder can't be put aside",
                    metadata: ["error": "\(String(cString: strerror(errno)))"])
            }
        }
    }

    private func takeFirst(at now: Instant) {
        // What was brought is told until the next start.
        for alarm in [Self.alarm, Self.keptAlarm] where waiting.isEmpty { alarms.clear(alarm) }
        for folder in waiting {
            do {
                try store.evidence.keys.take(from: EvidenceKeys(dataFolder: URL(fileURLWithPath: folder)))
                let salvage = try salvage(folder)
                defer { salvage.close() }
                _ = try salvage.takeFirst(seconds: Self.firstSeconds)
            } catch {
                log.error("the spare folder's records give nothing for the start", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Who was in view when the disk went, and when it came back, is decided by what was seen: no tracker goes on with it.
    private func concludeOpenSightings(of folder: String, at now: Instant) {
        do {
            let away = try Store(path: folder + "/checkpost.sqlite")
            defer { try? away.close() }
            try OpenSightings(configuration: configuration, store: away).conclude(at: now)
            try OpenSightings(configuration: configuration, store: store).conclude(besides: away, at: now)
        } catch {
            log.error("vehicles in view when the disk went are not decided", metadata: ["error": "\(error)"])
        }
    }

    /// Brings all of it home, once in a run, and prepares the spare folder for the next time the disk is away. Never two at a time.
    func finish(at now: Instant) {
        isDone.withLock { isDone in
            if !isDone { bringAll(at: now) }
            isDone = true
            if let spare { prepare(spare, at: now) }
        }
    }

    private func bringAll(at now: Instant) {
        let folders = waiting
        guard !folders.isEmpty else { return }
        var sum = Salvage.Report()
        var kept: [String] = []
        var failure: (any Error)?
        for folder in folders {
            do {
                if let report = try bring(folder, at: now) { sum += report } else { kept.append(folder) }
            } catch {
                log.error(
                    "the spare folder's records are not home", metadata: ["from": "\(folder)", "error": "\(error)"])
                kept.append(folder)
                failure = error
            }
        }
        if kept.count < folders.count {
            alarms.raise(
                Self.alarm, .notice, "What was recorded \(Self.words(folders)) is home: \(Self.said(sum))",
                hint: "Nothing is to be done for that. It goes away at the next start.")
        }
        guard !kept.isEmpty else { return alarms.clear(Self.keptAlarm) }
        let places = kept.joined(separator: ", ")
        if let failure {
            alarms.raise(
                Self.keptAlarm, .critical,
                "What was recorded \(Self.words(kept)) could not be brought home from \(places): \(failure)",
                hint: "Keep it. Each start tries again: systemctl restart checkpost.")
        } else {
            alarms.raise(
                Self.keptAlarm, .warning,
                "Not everything that was recorded \(Self.words(kept)) could be taken over, or it is here under another "
                    + "name.",
                hint: "\(places): kept. Look whether anything is missing here, then remove it: each start tries again.")
        }
    }

    private static func said(_ report: Salvage.Report) -> String {
        "\(report.passages) passages, \(report.unsent) records that waited for the server, \(report.photos) photos."
    }

    /// - Returns: nil when something is not home, and the folder is kept.
    private func bring(_ folder: String, at now: Instant) throws -> Salvage.Report? {
        let salvage = try salvage(folder)
        defer { salvage.close() }
        let report = try salvage.takeAll(at: now)
        try store.matches.lookAgain(since: now - Self.recent)
        let left = try salvage.countOfMissing()
        log.notice(
            "brought home", metadata: ["from": "\(folder)", "what": "\(Self.said(report))", "left": "\(left)"])
        guard left == 0, report.isWhole else { return nil }
        // The disk may have gone again: what was brought lies below its place then, or goes with it.
        guard home.isHome(store) else {
            throw AdvisedError("the disk of the records went again", hint: "It is brought home when the disk is back.")
        }
        try leave(folder)
        return report
    }

    private func salvage(_ folder: String) throws -> Salvage {
        try Salvage(
            folder + "/checkpost.sqlite", photosAside: URL(fileURLWithPath: folder + "/photos"), into: store,
            photos: photos)
    }

    private var waiting: [String] {
        let places = [(spare, "home-"), (configuration.dataFolder, ReturnedDatabase.prefix)]
        return places.flatMap { folder, prefix in
            let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
            return names.filter { $0.hasPrefix(prefix) }.sorted().map { "\(folder ?? "")/\($0)" }
        }
    }

    private static func isOfNewerVersion(_ folder: String) -> Bool {
        URL(fileURLWithPath: folder).lastPathComponent.hasPrefix(ReturnedDatabase.prefix)
    }

    private static func words(_ folders: [String]) -> String {
        folders.contains(where: isOfNewerVersion) ? "by a newer version of the program" : "while the disk was away"
    }

    /// What a newer version alone knew is in its file still.
    private func leave(_ folder: String) throws {
        if Self.isOfNewerVersion(folder) {
            let stamp = URL(fileURLWithPath: folder).lastPathComponent.dropFirst(ReturnedDatabase.prefix.count)
            for suffix in ["-wal", ""] {
                let kept = "\(configuration.databasePath).before-restore-\(stamp)\(suffix)"
                rename(folder + "/checkpost.sqlite" + suffix, kept)
            }
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    private func hasStoodIn(_ path: String) -> Bool {
        guard let other = try? Store(path: path) else { return true }
        defer { try? other.close() }
        return (try? other.hasStoodIn) ?? true
    }

    /// Only where the data folder has a disk that can be away.
    private func prepare(_ spare: String, at now: Instant) {
        guard Presence.of(spare + "/disk.json") == .there else { return }
        do {
            try FileManager.default.createDirectory(atPath: spare + "/data", withIntermediateDirectories: true)
            let standIn = try Store(path: spare + "/data/checkpost.sqlite")
            defer { try? standIn.close() }
            try store.prepare(standIn: standIn, at: now)
            alarms.clear(Self.spareAlarm)
        } catch {
            log.error("the spare folder can't be prepared", metadata: ["error": "\(error)"])
            alarms.raise(
                Self.spareAlarm, .warning,
                "The spare folder \(spare) can't be used: \(String(sentence: error)) While the disk of the records is away, the box would "
                    + "record below its place.",
                hint: "Free space on its disk, and give it to the user that runs checkpost.")
        }
    }
}
