import Enforcement
import Logging
import Synchronization

/// The last lines of the log, for the technician's page.
final class LogMemory: Sendable {
    static let shared = LogMemory()
    private static let keptLines = 300
    private static let longestLine = 500

    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func handler(level: Logger.Level) -> some LogHandler { Handler(memory: self, logLevel: level) }

    private func add(_ line: String) {
        kept.withLock { lines in
            lines.append(String(line.prefix(Self.longestLine)))
            if lines.count > Self.keptLines { lines.removeFirst() }
        }
    }

    private struct Handler: LogHandler {
        let memory: LogMemory
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
                .map { " \($0.key)=\($0.value)" }.joined()
            memory.add("\(BoxClock.now.nepalText) \(event.level) \(event.message)\(pairs)")
        }
    }
}
