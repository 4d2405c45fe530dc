import Enforcement
import Logging
import Storage
import Synchronization

/// Raises and clears alarms: in the log, and in the database for `status` and the console.
///
/// An alarm that can't be written (the disk is full) is in the log still, once and not at each try.
struct AlarmBoard: Sendable {
    let store: Store
    let log: Logger
    private let unwritten = Unwritten()

    init(store: Store, log: Logger) {
        self.store = store
        self.log = log
    }

    /// What could not be written of each alarm, as it was told last.
    private final class Unwritten: Sendable {
        private let told = Mutex([String: String]())

        /// - Returns: whether it is new.
        func add(_ key: String, _ what: String) -> Bool {
            told.withLock { $0.updateValue(what, forKey: key) != what }
        }

        func remove(_ key: String) { told.withLock { $0[key] = nil } }
    }

    func raise(_ key: String, _ severity: Alarm.Severity, _ message: String, hint: String? = nil) {
        do {
            let isNew = try store.alarms.raise(key, severity, message, hint: hint, at: BoxClock.now)
            unwritten.remove(key)
            if isNew { write(key, severity, message, hint) }
        } catch {
            guard unwritten.add(key, message) else { return }
            write(key, severity, message, hint)
            log.error("an alarm could not be recorded", metadata: ["alarm": "\(key)", "error": "\(error)"])
        }
    }

    func clear(_ key: String) {
        do {
            let wasOn = try store.alarms.clear(key, at: BoxClock.now)
            unwritten.remove(key)
            if wasOn { log.notice("over", metadata: ["alarm": "\(key)"]) }
        } catch {
            guard unwritten.add(key, "") else { return }
            log.error("an alarm could not be cleared", metadata: ["alarm": "\(key)", "error": "\(error)"])
        }
    }

    /// Clears what says nothing any more: see `AlarmScope`.
    func tidy(_ scope: AlarmScope, at now: Instant) {
        do {
            for alarm in try store.alarms.list() where scope.isOver(alarm.key, raisedAt: alarm.raisedAt, at: now) {
                clear(alarm.key)
            }
        } catch {
            log.error("the alarms can't be looked through", metadata: ["error": "\(error)"])
        }
    }

    private func write(_ key: String, _ severity: Alarm.Severity, _ message: String, _ hint: String?) {
        let level: Logger.Level =
            switch severity {
            case .notice: .notice
            case .warning: .warning
            case .critical: .critical
            }
        log.log(level: level, "\(message)\(hint.map { " \($0)" } ?? "")", metadata: ["alarm": "\(key)"])
    }
}
