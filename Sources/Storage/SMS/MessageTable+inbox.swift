import Enforcement
import Foundation
import GRDB

/// A message that somebody wrote to the modem: an operator about credit or expiry, or anybody else. Nothing acts on it.
package struct InboundMessage: Sendable, Equatable {
    /// nil when it could not be read.
    package var sender: String?

    /// nil when it could not be read, or is no longer kept.
    package var text: String?
    package var receivedAt: Instant
}

extension MessageTable {
    /// So many senders and times are kept, and the texts of so many.
    private static let maximumInbound: Int64 = 1000
    private static let maximumInboundTexts: Int64 = 50

    /// One message can't be longer than a few hundred characters; whatever a modem calls one is cut there.
    private static let maximumInboundLength = 500

    /// Keeps a message from somebody. The oldest texts go, and later their senders.
    package func noteInbound(from sender: String?, text: String? = nil, at now: Instant) throws {
        try write("Writing down a message") { db in
            try db.execute(
                cached: "INSERT INTO sms_inbound (sender, text, received_at) VALUES (?, ?, ?)",
                arguments: [sender, text.map { String($0.prefix(Self.maximumInboundLength)) }, now.milliseconds])
            let last = db.lastInsertedRowID
            try db.execute(
                cached: "UPDATE sms_inbound SET text = NULL WHERE id <= ? AND text IS NOT NULL",
                arguments: [last - Self.maximumInboundTexts])
            try db.execute(cached: "DELETE FROM sms_inbound WHERE id <= ?", arguments: [last - Self.maximumInbound])
        }
    }

    /// Who wrote lately, the newest first.
    package func inbound(limit: Int = 20) throws -> [InboundMessage] {
        try read("Reading messages") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM sms_inbound ORDER BY id DESC LIMIT ?", arguments: [limit]).map {
                InboundMessage(
                    sender: try $0.optionalText("sender"), text: try $0.optionalText("text"),
                    receivedAt: try $0.instant("received_at"))
            }
        }
    }
}
