import Crypto
import Enforcement
import Foundation
import GRDB

/// One day (UTC) of passages: how many, and a hash over them as `passage_days` of the server makes it.
package struct PassageDay: Sendable, Equatable {
    package static let length: Int64 = 86_400_000

    package var start: Instant
    package var count: Int
    package var hash: String

    package init(start: Instant, count: Int, hash: String) {
        self.start = start
        self.count = count
        self.hash = hash
    }

    /// The first moment of the day that a moment is in.
    package static func start(of moment: Instant) -> Instant {
        let rest = moment.milliseconds % length
        return moment - .milliseconds(rest < 0 ? rest + length : rest)
    }
}

/// A day as box and server have it.
package struct ComparedDay: Sendable, Equatable {
    package var start: Instant
    package var here: Int
    package var there: Int
    package var isSame: Bool
    package var sentAgain: Int

    package init(start: Instant, here: Int, there: Int, isSame: Bool, sentAgain: Int = 0) {
        self.start = start
        self.here = here
        self.there = there
        self.isSame = isSame
        self.sentAgain = sentAgain
    }
}

/// What came of a comparison.
package struct ComparisonRecord: Sendable, Equatable {
    package var at: Instant
    package var days: Int
    package var sentAgain: Int
    /// Why it was not made, or not to its end.
    package var message: String?

    package init(at: Instant, days: Int = 0, sentAgain: Int = 0, message: String? = nil) {
        self.at = at
        self.days = days
        self.sentAgain = sentAgain
        self.message = message
    }
}

/// A passage that the server is held to have, or was told to withdraw.
package struct ComparablePassage: Sendable, Equatable {
    package var clientID: UUID
    /// Under which the server has it when only its text came.
    package var smsClientID: UUID?
    package var plateCompact: String
    package var isWithdrawn: Bool
    /// The server was given its photo, and this post could give it once more.
    package var hasPhotoThere: Bool
}

/// Comparisons of what is held to be at the server with what it has, day by day.
package struct ComparisonTable: Table {
    let store: Store
}

extension ComparisonTable {
    /// Passages that are held to be at the server, and to be shown to this post's account.
    private static let isHeldThere = """
        p.checkpost_code = ?1 AND p.server_id IS NOT NULL AND p.server_deleted_at IS NULL AND EXISTS (
            SELECT 1 FROM sync_queue AS q WHERE q.passage_client_id = p.client_id AND q.entity = 'passage'
                AND q.status = 'synced')
        """

    /// Those of a day; nothing for a day without any.
    package func day(_ start: Instant, ofPost code: String) throws -> PassageDay? {
        let parts = try read("Reading a day") { db in
            try Row.fetchAll(
                db,
                composed: """
                    SELECT p.client_id, p.plate_compact FROM passages AS p
                    WHERE p.recorded_at >= ?2 AND p.recorded_at < ?3 AND p.withdrawn_at IS NULL AND \(Self.isHeldThere)
                    ORDER BY p.client_id
                    """, arguments: [code, start.milliseconds, start.milliseconds + PassageDay.length]
            ).map { "\(try $0.text("client_id")) \(try $0.text("plate_compact"))" }
        }
        guard !parts.isEmpty else { return nil }
        let digest = Insecure.MD5.hash(data: Data(parts.joined(separator: ",").utf8))
        let hash = digest.map { String(format: "%02x", $0) }.joined()
        return PassageDay(start: start, count: parts.count, hash: hash)
    }

    /// Passages of a day to look for at the server, in the order of their ids, some at a time. Withdrawn ones are among them when the
    /// server has taken their withdrawal.
    package func passages(
        _ start: Instant, ofPost code: String, after last: UUID?, limit: Int
    ) throws -> [ComparablePassage] {
        try read("Reading a day") { db in
            try Row.fetchAll(
                db,
                composed: """
                    SELECT p.client_id, p.sms_client_id, p.plate_compact, p.withdrawn_at IS NOT NULL AS is_withdrawn,
                        p.photo_path IS NOT NULL AND EXISTS (SELECT 1 FROM photos AS f
                            WHERE f.sha256 = p.photo_sha256 AND f.removed_at IS NULL) AS has_photo
                    FROM passages AS p
                    WHERE p.recorded_at >= ?2 AND p.recorded_at < ?3 AND p.client_id > ?4 AND \(Self.isHeldThere)
                        AND (p.withdrawn_at IS NULL OR EXISTS (SELECT 1 FROM sync_queue AS c
                            WHERE c.passage_client_id = p.client_id AND c.entity = 'correction' AND c.status = 'synced'))
                    ORDER BY p.client_id LIMIT ?5
                    """,
                arguments: [
                    code, start.milliseconds, start.milliseconds + PassageDay.length, last?.stored ?? "", limit,
                ]
            ).map {
                ComparablePassage(
                    clientID: try $0.uuid("client_id"), smsClientID: try $0.optionalUUID("sms_client_id"),
                    plateCompact: try $0.text("plate_compact"), isWithdrawn: try $0.flag("is_withdrawn"),
                    hasPhotoThere: try $0.flag("has_photo"))
            }
        }
    }

    package func replaceDays(_ days: [ComparedDay], at now: Instant) throws {
        try write("Writing down a comparison") { db in
            try db.execute(cached: "DELETE FROM server_days")
            for day in days {
                try db.execute(
                    cached: """
                        INSERT INTO server_days (day, here, there, is_same, sent_again, compared_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        day.start.milliseconds, day.here, day.there, day.isSame, day.sentAgain, now.milliseconds,
                    ])
            }
        }
    }

    package func noteSentAgain(_ count: Int, ofDay start: Instant) throws {
        guard count > 0 else { return }
        try write("Writing down a comparison") { db in
            try db.execute(
                cached: "UPDATE server_days SET sent_again = sent_again + ? WHERE day = ?",
                arguments: [count, start.milliseconds])
        }
    }

    /// The last comparison, day by day, the oldest first.
    package func days() throws -> [ComparedDay] {
        try read("Reading a comparison") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM server_days ORDER BY day").map {
                ComparedDay(
                    start: try $0.instant("day"), here: try $0.integer("here"), there: try $0.integer("there"),
                    isSame: try $0.flag("is_same"), sentAgain: try $0.integer("sent_again"))
            }
        }
    }

    package func record(_ comparison: ComparisonRecord) throws {
        try write("Writing down a comparison") { db in
            try db.execute(
                cached: "INSERT INTO server_comparisons (at, days, sent_again, message) VALUES (?, ?, ?, ?)",
                arguments: [
                    comparison.at.milliseconds, comparison.days, comparison.sentAgain, comparison.message,
                ])
            try db.execute(
                cached: "DELETE FROM server_comparisons WHERE id <= ?", arguments: [db.lastInsertedRowID - 200])
        }
    }

    package func last() throws -> ComparisonRecord? {
        try read("Reading a comparison") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM server_comparisons ORDER BY id DESC LIMIT 1").map {
                ComparisonRecord(
                    at: try $0.instant("at"), days: try $0.integer("days"), sentAgain: try $0.integer("sent_again"),
                    message: try $0.optionalText("message"))
            }
        }
    }
}
