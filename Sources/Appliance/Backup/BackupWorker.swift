import Enforcement
import Foundation
import Logging
import Storage
import Synchronization

/// Makes a backup a day while the box records, where a place for it is configured, and says when the last good one is old.
final class BackupWorker: Sendable {
    private let backups: Backups?
    private let store: Store
    private let alarms: AlarmBoard
    private let log: Logger
    private let isAtWork = Mutex(false)

    init(_ configuration: Configuration, store: Store, alarms: AlarmBoard, log: Logger) {
        backups = configuration.backup == nil ? nil : Backups(configuration, store: store)
        self.store = store
        self.alarms = alarms
        self.log = log
    }

    func look(at now: Instant) {
        guard backups != nil else { return alarms.clear("backup") }
        guard (try? clock().isDue(at: now)) == true else { return tell(at: now) }
        let isFree = isAtWork.withLock { isAtWork in
            defer { isAtWork = true }
            return !isAtWork
        }
        guard isFree else { return }
        // A slow stick takes minutes.
        Thread.detachNewThread { [self] in
            defer { isAtWork.withLock { $0 = false } }
            make(at: now)
        }
    }

    func make(at now: Instant) {
        do {
            guard let made = try backups?.make(at: now) else { return }
            log.notice(
                "backup made",
                metadata: [
                    "file": "\(made.path)", "passages": "\(made.contents.passages)",
                    "size": "\(Wording.bytes(made.contents.bytes))", "outdated": "\(made.outdated)",
                ])
        } catch {
            log.warning("no backup could be made", metadata: ["error": "\(error)"])
        }
        tell(at: now)
    }

    private func clock() throws -> BackupClock {
        BackupClock(
            lastGood: try store.backups.last(onlyGood: true)?.at, lastTry: try store.backups.last(onlyGood: false)?.at)
    }

    private func tell(at now: Instant) {
        guard let clock = try? clock() else { return }
        guard clock.isAlarming(at: now) else { return alarms.clear("backup") }
        let last = clock.lastGood.map { "The last good backup is of \($0.nepalText)." } ?? "There is no backup yet."
        let problem = (try? store.backups.last(onlyGood: false))?.problem.map { " \($0)" } ?? ""
        alarms.raise(
            "backup", .warning, last + problem,
            hint: "`checkpost backup` tries at once and says what is missing; it is tried again every hour.")
    }
}
