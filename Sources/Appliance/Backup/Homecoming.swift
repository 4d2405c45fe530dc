import Enforcement
import Foundation
import Logging
import Storage
import Synchronization

/// Brings home what was recorded in the spare folder while the disk of the data folder was away.
final class Homecoming: Sendable {
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

    /// How often the spare folder is prepared: pictures of a folder that were answered for since then would be read once more there.
    static let interval = TimeSpan.minutes(10)

    /// Nothing is brought to a database that stands in itself.
    init(_ configuration: Configuration, store: Store, alarms: AlarmBoard, log: Logger) {
        let home = DataHome(configuration)
        spare = configuration.dataFolder == home.folder ? home.spare : nil
        photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        (self.store, self.alarms, self.log) = (store, alarms, log)
    }

    /// Puts the records that were made meanwhile aside, so that the next absence begins with none, and takes over what the cameras need
    /// to know before they begin. Call it before any part runs.
    func begin(at now: Instant) {
        guard let spare else { return }
        let database = spare + "/data/checkpost.sqlite"
        if Presence.of(database) == .there, hasStoodIn(database) {
            var aside = "\(spare)/home-\(now.fileStamp)"
            while Presence.of(aside) != .absent { aside += "-2" }
            if rename(spare + "/data", aside) != 0 {
                log.error(
                    "what was recorded in the spare folder can't be put aside",
                    metadata: ["error": "\(String(cString: strerror(errno)))"])
            }
        }
        // What was brought is told until the next start.
        if waiting.isEmpty { alarms.clear(Self.alarm) }
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

    /// Brings all of it home, once in a run, and prepares the spare folder for the next time the disk is away. Never two at a time.
    func finish(at now: Instant) {
        guard let spare else { return }
        isDone.withLock { isDone in
            if !isDone { for folder in waiting { bring(folder, at: now) } }
            isDone = true
            prepare(spare, at: now)
        }
    }

    private func bring(_ folder: String, at now: Instant) {
        do {
            let salvage = try salvage(folder)
            defer { salvage.close() }
            let report = try salvage.takeAll(at: now)
            try store.matches.lookAgain(since: now - Self.recent)
            let left = try salvage.countOfMissing()
            let said =
                "\(report.passages) passages, \(report.unsent) records that waited for the server, \(report.photos) photos."
            log.notice("brought home", metadata: ["from": "\(folder)", "what": "\(said)", "left": "\(left)"])
            guard left > 0 || !report.isWhole else {
                try FileManager.default.removeItem(atPath: folder)
                return alarms.raise(
                    Self.alarm, .notice, "What was recorded while the disk was away is home: \(said)",
                    hint: "Nothing is to be done. It goes away at the next start.")
            }
            alarms.raise(
                Self.alarm, .warning,
                "What was recorded while the disk was away is home: \(said) \(Wording.count(left, "thing")) could not be taken over, or "
                    + "is here already under another name.",
                hint: "\(folder) is kept. Remove it when nobody misses anything: each start tries again.")
        } catch {
            log.error("the spare folder's records are not home", metadata: ["from": "\(folder)", "error": "\(error)"])
            alarms.raise(
                Self.alarm, .critical,
                "What was recorded while the disk was away could not be brought home from \(folder): \(error)",
                hint: "Keep that folder. Each start tries again: systemctl restart checkpost.")
        }
    }

    private func salvage(_ folder: String) throws -> Salvage {
        try Salvage(
            folder + "/checkpost.sqlite", photosAside: URL(fileURLWithPath: folder + "/photos"), into: store,
            photos: photos)
    }

    private var waiting: [String] {
        guard let spare else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: spare)) ?? []
        return names.filter { $0.hasPrefix("home-") }.sorted().map { "\(spare)/\($0)" }
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
        } catch {
            log.error("the spare folder can't be prepared", metadata: ["error": "\(error)"])
        }
    }
}
