import ArgumentParser
import Enforcement
import Foundation
import Storage

struct SMSInboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "List what others wrote to the modem, the newest first.",
        discussion: """
            Operators write about credit and expiry. The texts of the last 50 messages are kept, and who wrote the last 1000. \
            Nothing acts on them. A modem without PDU mode gives no texts.
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "At most this many.")
    var limit = 50

    @Flag(help: "Print one JSON object a message, each on one line.")
    var json = false

    private struct MessageRow: Encodable {
        let sender: String?
        let text: String?
        let receivedAt: String

        enum CodingKeys: String, CodingKey {
            case sender, text
            case receivedAt = "received_at"
        }
    }

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000.") }
    }

    func run() throws {
        let messages = try store.openStore().messages.inbound(limit: limit)
        if json {
            return try messages.forEach {
                try Output.printJSON(
                    MessageRow(sender: $0.sender, text: $0.text, receivedAt: $0.receivedAt.iso8601))
            }
        }
        guard !messages.isEmpty else { return print("Nobody wrote.") }
        var table = TextTable([("received (Nepal)", .left), ("from", .left), ("text", .left)])
        for message in messages {
            table.add([
                message.receivedAt.nepalText, Self.printable(message.sender ?? "unknown"),
                message.text.map(Self.printable) ?? "-",
            ])
        }
        print(table.text)
    }

    /// Anybody may write to the modem: what he writes must not command the terminal, nor look like another line.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
    }
}
