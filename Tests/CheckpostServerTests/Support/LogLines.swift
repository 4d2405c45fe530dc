import Foundation
import Logging

/// A log that a test reads: each line as the handler of the program would write it.
///
/// All of its state is guarded by `lock`.
final class LogLines: LogHandler, @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        lock.withLock { lines.append("\(event.level): \(event.message)\(fields)") }
    }

    var all: [String] { lock.withLock { lines } }

    func lines(with text: String) -> [String] { all.filter { $0.contains(text) } }
}
