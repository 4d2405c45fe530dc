import Enforcement
import Foundation
import GRDB

/// The chain of what this box says of its passages. An entry is written in the transaction of what it is about, signed there when the key
/// is at hand and later when it isn't, and never changed.
package struct EvidenceTable: Table {
    let store: Store
}

extension EvidenceTable {
    /// Appends a fact to the chain of its post; part of a transaction. It needs no key.
    ///
    /// - Parameter checkpost: of the passage that is recorded; a chain is of one post. Nil for what is about an earlier one.
    static func append(_ db: Database, _ fact: EvidenceFact, checkpost: String? = nil, at now: Instant) throws {
        let standing = try Chain.current(db)
        let next = try Row.fetchOne(db, cached: "SELECT because, key FROM evidence_next")
        let because = try next?.optionalText("because").flatMap(EvidenceBeginning.init(rawValue:))
        var chain = standing
        if standing == nil || because != nil || (checkpost != nil && checkpost != standing?.checkpost) {
            let reason = because ?? (standing == nil ? .first : .moved)
            // What is told of an earlier passage, in a database that has no chain yet, is of no post that is known here.
            guard let post = try checkpost ?? standing?.checkpost ?? Self.anyPost(db) else { return }
            let key = try standing?.key ?? next?.optionalText("key")
            chain = try begin(db, at: post, because: reason, after: standing?.head, key: key, at: now)
        }
        guard let chain else { return }
        try write(db, fact, to: chain, at: now)
    }

    private static func anyPost(_ db: Database) throws -> String? {
        try String.fetchOne(db, cached: "SELECT checkpost_code FROM passages ORDER BY created_at DESC LIMIT 1")
    }

    @discardableResult
    static func begin(
        _ db: Database, at post: String, because: EvidenceBeginning, after: EvidenceHead?, key: String?,
        at now: Instant
    ) throws -> Chain {
        let id = UUID()
        try db.execute(cached: "DELETE FROM evidence_next")
        try db.execute(
            cached: "INSERT INTO evidence_chains (chain, checkpost, because, key, begun_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [id.stored, post, because.rawValue, key, now.milliseconds])
        let chain = Chain(id: id, checkpost: post, key: key, head: nil)
        let fact = EvidenceFact.began(checkpost: post, key: key, because: because, after: after)
        return try write(db, fact, to: chain, at: now)
    }

    /// - Returns: the chain with its new end.
    @discardableResult
    static func write(_ db: Database, _ fact: EvidenceFact, to chain: Chain, at now: Instant) throws -> Chain {
        let entry = EvidenceEntry(fact, chain: chain.id, after: chain.head, at: now)
        let text = entry.text
        var chain = chain
        chain.head = EvidenceHead(chain: chain.id, number: entry.number, hash: EvidenceEntry.hash(of: text))
        try db.execute(
            cached: """
                INSERT INTO evidence_entries (chain, number, passage_client_id, text, hash, key) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                chain.id.stored, entry.number, fact.passageID?.stored, text, chain.head?.hash, chain.key,
            ])
        if case .key(let key) = fact {
            try db.execute(
                cached: "UPDATE evidence_chains SET key = ? WHERE chain = ?", arguments: [key, chain.id.stored])
            chain.key = key
        }
        return chain
    }

    /// A chain as it stands.
    struct Chain {
        var id: UUID
        var checkpost: String
        var key: String?
        var head: EvidenceHead?

        /// The one that entries are appended to: the newest.
        static func current(_ db: Database) throws -> Chain? {
            let row = try Row.fetchOne(
                db,
                cached: """
                    SELECT c.chain, c.checkpost, c.key, e.number, e.hash FROM evidence_chains AS c
                    LEFT JOIN evidence_entries AS e ON e.chain = c.chain
                        AND e.number = (SELECT max(number) FROM evidence_entries WHERE chain = c.chain)
                    ORDER BY c.id DESC LIMIT 1
                    """)
            guard let row else { return nil }
            let id = try row.uuid("chain")
            let hash = try row.optionalText("hash")
            return Chain(
                id: id, checkpost: try row.text("checkpost"), key: try row.optionalText("key"),
                head: try hash.map { EvidenceHead(chain: id, number: try row.integer("number"), hash: $0) })
        }
    }
}

extension EvidenceTable {
    /// The chain ends here: the next entry begins another, which says why.
    static func end(_ db: Database, because: EvidenceBeginning) throws {
        try db.execute(
            cached: """
                INSERT INTO evidence_next (only, because) VALUES (1, ?)
                ON CONFLICT (only) DO UPDATE SET because = excluded.because
                """, arguments: [because.rawValue])
    }

    /// The first chain begins with this key.
    static func beginLater(_ db: Database, with key: String) throws {
        try db.execute(
            cached: """
                INSERT INTO evidence_next (only, key) VALUES (1, ?)
                ON CONFLICT (only) DO UPDATE SET key = excluded.key WHERE evidence_next.key IS NOT excluded.key
                """, arguments: [key])
    }

    /// How many entries one transaction signs at most beside its own work: those that waited for a key come after it bit by bit.
    private static let mostInPassing = 20

    /// Signs the oldest entries that wait, where their key is at hand; part of a transaction, as its last step.
    ///
    /// - Returns: how many.
    @discardableResult
    static func sign(_ db: Database, with keys: EvidenceKeys, limit: Int = mostInPassing) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            cached: """
                SELECT e.id, e.text, coalesce(e.key, c.key) AS key FROM evidence_entries AS e
                JOIN evidence_chains AS c ON c.chain = e.chain WHERE e.signature IS NULL ORDER BY e.id LIMIT ?
                """, arguments: [limit])
        var count = 0
        for row in rows {
            // In order: what waits for its key holds up the others.
            guard let key = try row.optionalText("key"), let signature = keys.sign(try row.text("text"), with: key)
            else { break }
            try db.execute(
                cached: "UPDATE evidence_entries SET signature = ?, key = ? WHERE id = ?",
                arguments: [signature, key, try row.decode(Int64.self, forColumn: "id")])
            count += 1
        }
        return count
    }
}
