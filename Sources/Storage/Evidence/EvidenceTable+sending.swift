import Enforcement
import Foundation
import GRDB

/// An entry of a chain as it is on record, of this post or another.
package struct StoredEvidence: Sendable, Equatable {
    package var chain: UUID
    package var number: Int
    package var text: String

    /// What it is signed with.
    package var key: String?

    /// Nil where it waits for its key, or its key was lost before.
    package var signature: Data?

    /// When the server had the chain up to here, by its clock; nil within a parcel.
    package var anchoredAt: Instant?

    package init(
        chain: UUID, number: Int, text: String, key: String?, signature: Data?, anchoredAt: Instant? = nil
    ) {
        self.chain = chain
        self.number = number
        self.text = text
        self.key = key
        self.signature = signature
        self.anchoredAt = anchoredAt
    }

    init(_ row: Row) throws {
        let signature = try row.decode(Data?.self, forColumn: "signature")
        self.init(
            chain: try row.uuid("chain"), number: try row.integer("number"), text: try row.text("text"),
            key: try row.optionalText("key"), signature: signature?.isEmpty == false ? signature : nil,
            anchoredAt: try row.optionalInstant("anchored_at"))
    }
}

extension EvidenceTable {
    /// Entries that the server has not had, of one chain and in order. What waits for its key waits to be sent.
    package func toSend(limit: Int) throws -> [StoredEvidence] {
        try read("Reading evidence to send") { db in
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT * FROM evidence_entries WHERE sent_at IS NULL AND id < coalesce(
                        (SELECT min(id) FROM evidence_entries WHERE signature IS NULL), 9223372036854775807)
                    ORDER BY id LIMIT ?
                    """, arguments: [limit]
            ).map(StoredEvidence.init)
            return Array(rows.prefix { $0.chain == rows.first?.chain })
        }
    }

    /// The server has these.
    ///
    /// - Parameters:
    ///   - anchoredAt: when, by its clock.
    ///   - next: the first number of the chain that it lacks. What is here from there on is sent once more: it lost some.
    package func sent(_ entries: [StoredEvidence], anchoredAt: Instant, next: Int) throws {
        guard let last = entries.last else { return }
        try write("Noting sent evidence") { db in
            for entry in entries {
                try db.execute(
                    cached: "UPDATE evidence_entries SET sent_at = ? WHERE chain = ? AND number = ?",
                    arguments: [anchoredAt.milliseconds, entry.chain.stored, entry.number])
            }
            try db.execute(
                cached: """
                    UPDATE evidence_entries SET anchored_at = coalesce(anchored_at, ?) WHERE chain = ? AND number = ?
                    """, arguments: [anchoredAt.milliseconds, last.chain.stored, last.number])
            guard next <= last.number else { return }
            // Without the first that it lacks the others would not close the gap.
            try db.execute(
                cached: """
                    UPDATE evidence_entries SET sent_at = NULL WHERE chain = ?1 AND number >= ?2 AND EXISTS (
                        SELECT 1 FROM evidence_entries WHERE chain = ?1 AND number = ?2 AND number < ?3)
                    """, arguments: [last.chain.stored, next, entries[0].number])
        }
    }

    /// How many entries one step removes at most.
    private static let mostRemoved = 500

    /// Removes entries that the server has and that lead to no passage on record: those before the last end of a parcel before the
    /// first such passage.
    package func removeOld() throws {
        try write("Removing old evidence") { db in
            try db.execute(
                cached: """
                    DELETE FROM evidence_entries WHERE id IN (
                        SELECT id FROM evidence_entries WHERE sent_at IS NOT NULL AND id < (
                            SELECT max(id) FROM evidence_entries WHERE anchored_at IS NOT NULL AND id < (
                                SELECT e.id FROM evidence_entries AS e JOIN passages AS p ON p.client_id = e.passage_client_id
                                ORDER BY e.id LIMIT 1))
                        ORDER BY id LIMIT ?)
                    """, arguments: [Self.mostRemoved])
        }
    }

    /// What is said of a passage, with the entries around it: from the last one before that the server is known to have had, and to the
    /// first one after. Where nothing is said of it, it is empty.
    package func around(passage: UUID) throws -> [StoredEvidence] {
        try read("Reading evidence") { db in
            try Row.fetchAll(
                db,
                cached: """
                    WITH told AS (
                        SELECT chain, min(number) AS first, max(number) AS last FROM evidence_entries
                        WHERE passage_client_id = ? GROUP BY chain
                    ), span AS (
                        SELECT t.chain,
                            coalesce((SELECT max(number) FROM evidence_entries WHERE chain = t.chain AND number < t.first
                                AND anchored_at IS NOT NULL), 1) AS first,
                            coalesce((SELECT min(number) FROM evidence_entries WHERE chain = t.chain AND number >= t.last
                                AND anchored_at IS NOT NULL), t.last) AS last
                        FROM told AS t
                    )
                    SELECT e.* FROM span AS s JOIN evidence_entries AS e ON e.chain = s.chain
                        AND e.number BETWEEN s.first AND s.last
                    ORDER BY e.id
                    """, arguments: [passage.stored]
            ).map(StoredEvidence.init)
        }
    }
}
