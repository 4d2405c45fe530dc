import Enforcement
import Logging

/// A log handler that writes each event in one line of harmless characters, whatever the names and answers in it hold.
///
/// File names come from whoever fills a camera's folder, answers from servers: a line break in one would forge a line of the log, an
/// escape sequence would do things to the terminal that shows it. Nobody who logs has to think of it.
struct EscapedLogHandler: LogHandler {
    private static let longestText = 2000

    private var handler: any LogHandler

    init(_ handler: any LogHandler) {
        self.handler = handler
    }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues(Self.escaped) }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map(Self.escaped) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(LogText.of(event.message.description, limit: Self.longestText))"
        var metadata = event.metadata?.mapValues(Self.escaped)
        if let error = event.error {
            metadata = (metadata ?? [:]).merging(["error": Self.escaped("\(error)")]) { first, _ in first }
            event.error = nil
        }
        event.metadata = metadata
        handler.log(event: event)
    }

    private static func escaped(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
        switch value {
        case .array(let values): .array(values.map(escaped))
        case .dictionary(let values): .dictionary(values.mapValues(escaped))
        default: .string(LogText.of(value.description, limit: longestText))
        }
    }
}
