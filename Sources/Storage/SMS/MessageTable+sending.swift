import Enforcement
import Foundation
import GRDB
import ParkAPI

/// How texts of version V2 are written, which take several passages.
package struct TextSigning {
    /// The highest number that the server has taken: the box goes on behind it, also with a new disk.
    package var lastNumber: Int64

    /// Writes and signs a text with a number. Its error means that these passages don't go into one text.
    package var write: ([Passage], Int64) throws(SMSFormatError) -> String

    package init(lastNumber: Int64, write: @escaping ([Passage], Int64) throws(SMSFormatError) -> String) {
        self.lastNumber = lastNumber
        self.write = write
    }
}

extension MessageTable {
    /// Writes down that passages are being sent: state, time, text, and the ids that the server will derive from the text.
    /// When it returns ``HandOver/begun(message:text:)`` all of it is on the disk.
    ///
    /// A text whose answer was lost is repeated as it was, with all that it carried, though a plate was corrected since: another text would be
    /// another passage to the server.
    /// - Parameters:
    ///   - companions: entries that may go along in a signed text, in order. Those that don't fit or need no SMS any longer are left out.
    ///   - signing: nil: the text is one of version V1.
    ///   - compose: writes the text of version V1, from which the passage's id follows; its error is what the log says.
    package func beginSending(
        entry: Int64, with companions: [Int64] = [], to number: String, at now: Instant, signing: TextSigning? = nil,
        compose: (Passage) throws(SMSFormatError) -> String
    ) throws -> HandOver {
        try write("Writing down that an SMS is sent") { db in
            guard let passage = try Self.waitingPassage(db, entry) else { return .overtaken }
            let client = passage.clientID.stored
            let known = try Self.message(db, of: passage)
            if let known, known.state.isFinished { return .overtaken }
            if let known, known.lostAnswers > 0 { return try Self.repeatText(db, of: known, to: number, at: now) }
            func unwritable(_ reason: String) throws -> HandOver {
                .unwritable(
                    message: try Self.upsert(db, client: client, number: number, text: "", at: now), reason: reason)
            }
            var text: String
            let textNumber = try signing.map { max($0.lastNumber, try Self.lastTextNumber(db)) + 1 }
            var carried: [(passage: Passage, id: UUID)] = []
            do throws(SMSFormatError) {
                let alone = try compose(passage)
                carried = [(passage, SMSEncoder.clientID(of: alone))]
                text = if let signing, let textNumber { try signing.write([passage], textNumber) } else { alone }
            } catch {
                return try unwritable("\(error)")
            }
            if try Self.isTaken(db, carried[0].id, by: passage) {
                return try unwritable("another passage has the same plate and second")
            }
            if let signing, let textNumber {
                for companion in companions {
                    guard let other = try Self.unsentPassage(db, companion), let alone = try? compose(other) else {
                        continue
                    }
                    let id = SMSEncoder.clientID(of: alone)
                    guard try !Self.isTaken(db, id, by: other), !carried.contains(where: { $0.id == id }),
                        let longer = try? signing.write(carried.map(\.passage) + [other], textNumber)
                    else { continue }
                    text = longer
                    carried.append((other, id))
                }
            }
            let messages = try carried.map { passage, id in
                try db.execute(
                    cached: "UPDATE passages SET sms_client_id = ? WHERE client_id = ?",
                    arguments: [id.stored, passage.clientID.stored])
                return try Self.upsert(db, client: passage.clientID.stored, number: number, text: text, at: now)
            }
            if let textNumber { try Self.join(db, messages, textNumber: textNumber) }
            try Self.noteHandOver(db, message: messages[0], at: now)
            try Self.noteSending(db, messages: Array(messages.dropFirst()), at: now)
            return .begun(message: messages[0], text: text)
        }
    }

    /// The passage of an entry that needs an SMS.
    private static func waitingPassage(_ db: Database, _ entry: Int64) throws -> Passage? {
        try Row.fetchOne(
            db,
            composed: """
                SELECT p.* FROM sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
                WHERE q.id = ? AND q.entity = 'passage' AND \(needsSMS)
                """, arguments: [entry])?.passage()
    }

    /// The same of one of which nothing can have gone out.
    private static func unsentPassage(_ db: Database, _ entry: Int64) throws -> Passage? {
        guard let passage = try waitingPassage(db, entry) else { return nil }
        let known = try message(db, of: passage)
        return known.map { $0.state == .queued && $0.lostAnswers == 0 } ?? true ? passage : nil
    }

    private static func message(_ db: Database, of passage: Passage) throws -> StoredMessage? {
        try Row.fetchOne(
            db, cached: "SELECT * FROM sms_messages WHERE passage_client_id = ?", arguments: [passage.clientID.stored]
        ).map(StoredMessage.init)
    }

    private static func isTaken(_ db: Database, _ id: UUID, by passage: Passage) throws -> Bool {
        try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM passages WHERE sms_client_id = ? AND client_id <> ?)",
            arguments: [id.stored, passage.clientID.stored]) == true
    }

    /// Word for word, and of all that it carried: the passages keep the ids that they had then.
    private static func repeatText(
        _ db: Database, of known: StoredMessage, to number: String, at now: Instant
    ) throws -> HandOver {
        let companions = try companions(db, of: known.id, in: [.ambiguous])
        for message in [known.id] + companions {
            try db.execute(
                cached: "UPDATE sms_messages SET number = ? WHERE id = ?", arguments: [number, message])
        }
        try noteHandOver(db, message: known.id, at: now)
        try noteSending(db, messages: companions, at: now)
        return .begun(message: known.id, text: known.text)
    }
}
