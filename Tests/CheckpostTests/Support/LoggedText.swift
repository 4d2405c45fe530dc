import Logging
import Synchronization

/// A log that a test reads: a line for each message, with its values by their names.
final class LoggedText: Sendable {
    private let text = Mutex("")

    var said: String { text.withLock { $0 } }

    func lines(with words: String) -> [Substring] { said.split(separator: "\n").filter { $0.contains(words) } }

    struct Handler: LogHandler {
        let text: LoggedText
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            text.text.withLock { $0 += "\(event.message)\(pairs.map { " \($0.key)=\($0.value)" }.joined())\n" }
        }
    }
}
