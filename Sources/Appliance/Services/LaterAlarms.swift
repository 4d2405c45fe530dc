import Foundation
import Storage
import Synchronization

/// Raises and clears alarms on a thread of its own, in their order: an alarm is a row of the database, and who tells of a database that can't be
/// written must not wait for it. Of an alarm that has not been written yet only the last word counts.
final class LaterAlarms: Sendable {
    private struct Word {
        let key: String
        let say: @Sendable (AlarmBoard) -> Void
    }

    private let board: AlarmBoard
    private let queue = DispatchQueue(label: "checkpost.alarms")
    private let words = Mutex([Word]())

    init(_ board: AlarmBoard) {
        self.board = board
    }

    func raise(_ key: String, _ severity: Alarm.Severity, _ message: String, hint: String? = nil) {
        say(key) { $0.raise(key, severity, message, hint: hint) }
    }

    func clear(_ key: String) { say(key) { $0.clear(key) } }

    /// Returns when all that was said so far is written, or could not be.
    func settle() { queue.sync {} }

    private func say(_ key: String, _ say: @escaping @Sendable (AlarmBoard) -> Void) {
        words.withLock { words in
            words.removeAll { $0.key == key }
            words.append(Word(key: key, say: say))
        }
        queue.async { [self] in
            // Each turn says one; those that were overtaken find nothing.
            let next = words.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?.say(board)
        }
    }
}
