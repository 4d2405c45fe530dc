import Enforcement
import Foundation
import Logging
import Storage

/// Brings over what can be read of databases that were set aside, while the box records in a new one.
struct SalvageWorker: Sendable {
    private let path: String
    private let store: Store
    private let photos: PhotoStore
    private let alarms: AlarmBoard
    private let log: Logger

    /// The start doesn't wait longer: recording goes on within seconds.
    private static let firstSeconds = 3.0

    init(_ configuration: Configuration, store: Store, alarms: AlarmBoard, log: Logger) {
        path = configuration.databasePath
        photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        self.store = store
        self.alarms = alarms
        self.log = log
    }

    /// Who may sign in, settings, and which pictures were answered for.
    func takeFirst(of aside: String) {
        do {
            let salvage = try Salvage(aside, into: store, photos: photos)
            defer { salvage.close() }
            let report = try salvage.takeFirst(seconds: Self.firstSeconds)
            log.notice(
                "taken over from the damaged database",
                metadata: ["accounts": "\(report.accounts)", "answered pictures": "\(report.frames)"])
        } catch {
            log.error("the damaged database gives nothing for the start", metadata: ["error": "\(error)"])
        }
    }

    /// All of it, once for each database that lies there.
    func takeAll(at now: Instant) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let files = Store.setAsideFiles(path: path)
        if files.isEmpty { alarms.clear(Self.alarm) }
        for file in files {
            let name = "salvaged/" + file
            do {
                guard try store.cursors.value(name) == nil else { continue }
                let said = try takeAll(of: folder.appendingPathComponent(file).path, at: now)
                try store.matches.lookAgain(since: now - Self.recent)
                try store.cursors.set(SyncCursor(name: name, value: now.milliseconds), at: now)
                alarms.raise(
                    Self.alarm, .notice, "Taken over from \(file): \(said)",
                    hint: "It goes away when the file is moved elsewhere and the box is started again.")
            } catch {
                log.error(
                    "a damaged database could not be taken over; the next start tries again",
                    metadata: ["file": "\(file)", "error": "\(error)"])
            }
        }
    }

    private static let alarm = "database.salvaged"

    /// Older ones are history: nobody is alerted of them any more.
    private static let recent = TimeSpan.hours(48)

    /// - Returns: what came of it, in words.
    private func takeAll(of aside: String, at now: Instant) throws -> String {
        guard !Store.isEmpty(setAside: aside) else {
            return "nothing is in it. What the server has comes back from there."
        }
        let salvage: Salvage
        do {
            salvage = try Salvage(aside, into: store, photos: photos)
        } catch let error as StoreError where error.isFileDamaged {
            log.error("nothing of the damaged database can be read", metadata: ["error": "\(error)"])
            return "nothing of it can be read. What the server has comes back from there."
        }
        defer { salvage.close() }
        let report = try salvage.takeAll(at: now)
        let text =
            "\(report.passages) passages, \(report.unsent) records that waited for the server, \(report.photos) photos, "
            + "\(report.accounts) accounts. "
            + (report.isWhole ? "All of it could be read." : "Some of it can't be read.")
        log.notice("taken over from a damaged database", metadata: ["what": "\(text)"])
        return text
    }
}
