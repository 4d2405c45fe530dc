import Enforcement
import Foundation
import Logging
import Synchronization

/// Where all lines of the log meet: what the parts say and what the supervisor says itself, for the standard error and the technician's page.
final class SupervisorLog: Sendable {
    private struct State {
        var ring: LogRing
        var lost = 0
    }

    /// What a pipe takes whole or not at all.
    private static let chunk = 4096

    /// A line beyond it is cut.
    private static let longestLine = 4000

    private let state: Mutex<State>

    init(_ folder: RunFolder) {
        state = Mutex(State(ring: LogRing(folder)))
    }

    /// Passes lines on. A reader that doesn't read loses lines, and never stops the supervisor.
    func pass(_ lines: [Substring]) {
        guard !lines.isEmpty else { return }
        // Not only what went through a log handler comes here: a library's words and the last ones of a part that crashed do, too.
        let lines = lines.map { LogText.of(String($0), limit: Self.longestLine) }
        state.withLock { state in
            state.ring.add(lines)
            for line in lines {
                let notice = state.lost > 0 ? "(\(state.lost) lines of the log were not read and are lost)\n" : ""
                if Self.say(notice + line + "\n") { state.lost = 0 } else { state.lost += 1 }
            }
        }
    }

    private static func say(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var reader = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&reader, 1, 0) > 0, reader.revents & Int16(POLLOUT) != 0 else { return false }
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, min($0.count, chunk)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func handler(level: Logger.Level) -> some LogHandler { Handler(log: self, logLevel: level) }

    private struct Handler: LogHandler {
        let log: SupervisorLog
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
            log.pass(["\(BoxClock.now.iso8601) \(event.level) checkpost:\(pairs) \(event.message)"])
        }
    }
}
