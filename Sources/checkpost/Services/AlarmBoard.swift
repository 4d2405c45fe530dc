import Enforcement
import Logging
import Storage

/// Raises and clears alarms: in the log, and in the database for `status` and the console.
///
/// An alarm that can't be written (the disk is full) is in the log still.
struct AlarmBoard: Sendable {
    let store: Store
    let log: Logger

    func raise(_ key: String, _ severity: Alarm.Severity, _ message: String, hint: String? = nil) {
        do {
            let isNew = try store.raiseAlarm(key, severity, message, hint: hint, at: BoxClock.now)
            if isNew { write(key, severity, message, hint) }
        } catch {
            write(key, severity, message, hint)
            log.error("an alarm could not be recorded", metadata: ["alarm": "\(key)", "error": "\(error)"])
        }
    }

    func clear(_ key: String) {
        do {
            if try store.clearAlarm(key, at: BoxClock.now) { log.notice("over", metadata: ["alarm": "\(key)"]) }
        } catch {
            log.error("an alarm could not be cleared", metadata: ["alarm": "\(key)", "error": "\(error)"])
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
