import Enforcement
import Foundation
import GRDB

/// What is known of the other post: its passages, and what waits for review there.
package struct OtherPostTable: Table {
    let store: Store
}

extension OtherPostTable {
    /// Takes in passages of the other post. Repeating it changes nothing.
    ///
    /// A row is known by its `clientID`, or by its server id: when the server merges an SMS with the upload that came later,
    /// the row keeps its id and takes the upload's `clientID`. A passage whose plate or time changed loses its match here.
    ///
    /// - Parameters:
    ///   - matched: those that the server has matched: they are no longer candidates here.
    ///   - cursor: moves in the same transaction, so that it never covers rows that aren't there.
    /// - Returns: how many were new.
    @discardableResult
    package func upsert(
        _ passages: [MatchablePassage], matched: Set<UUID> = [], cursor: SyncCursor? = nil, at now: Instant
    ) throws -> Int {
        try write("Taking in the other post's passages") { db in
            var added = 0
            for passage in passages {
                let isNew = try Self.upsert(db, passage, isMatched: matched.contains(passage.clientID), at: now)
                if isNew { added += 1 }
            }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return added
        }
    }

    /// Takes back passages that the other post withdrew, with what followed from them here. Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many were in force.
    @discardableResult
    package func withdraw(_ clientIDs: [UUID], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking back the other post's passages") { db in
            let withdrawn = try clientIDs.count { try Self.withdraw(db, $0, at: now) }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return withdrawn
        }
    }

    /// - Returns: whether it was in force.
    private static func withdraw(_ db: Database, _ clientID: UUID, at now: Instant) throws -> Bool {
        guard var standing = try ReconciliationTable.remoteStanding(db, clientID.stored) else { return false }
        let actions = standing.handle(.withdrawnThere)
        try ReconciliationTable.perform(db, actions, at: now)
        return !actions.isEmpty
    }

    package func passage(clientID: UUID) throws -> MatchablePassage? {
        try read("Reading a passage of the other post") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM remote_passages WHERE client_id = ?", arguments: [clientID.stored]
            ).map { try $0.remotePassage() }
        }
    }

    /// Forgets passages that nothing refers to.
    ///
    /// - Parameter limit: so many rows at most, so that nobody waits long for the write lock.
    /// - Returns: how many rows went.
    @discardableResult
    package func prune(olderThan cutoff: Instant, limit: Int = 1000) throws -> Int {
        try write("Forgetting old passages of the other post") { db in
            try db.execute(
                cached: """
                    DELETE FROM remote_passages WHERE client_id IN (
                        SELECT client_id FROM remote_passages AS r WHERE recorded_at < ?
                            AND NOT EXISTS (SELECT 1 FROM matches WHERE remote_client_id = r.client_id) LIMIT ?)
                    """, arguments: [cutoff.milliseconds, limit])
            let gone = db.changesCount
            return try gone + FurtherPassageTable.prune(db, olderThan: cutoff, limit: limit)
        }
    }

    /// - Returns: whether it is new, or in force again.
    private static func upsert(
        _ db: Database, _ told: MatchablePassage, isMatched: Bool, at now: Instant
    ) throws -> Bool {
        let ofText = try ofText(db, told)
        let passage = ofText ?? told
        // A text's time has no part of a second: it says nothing that the post didn't say better.
        let word = ofText == nil ? RemoteStanding.serverWord(of: told) : nil
        let id = passage.clientID.stored
        if let serverID = passage.serverID {
            let known = try String.fetchOne(
                db, cached: "SELECT client_id FROM remote_passages WHERE server_id = ?", arguments: [serverID.stored])
            let isTaken = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM remote_passages WHERE client_id = ?)", arguments: [id])
            let identified = RemoteStanding.identify(
                passage.clientID, known: known.flatMap(UUID.init(uuidString:)), isTaken: isTaken == true)
            try ReconciliationTable.perform(db, identified, at: now)
        }
        let spelling = try spelling(db, passage.plate)
        guard var standing = try ReconciliationTable.remoteStanding(db, id) else {
            try ReconciliationTable.perform(
                db, RemoteStanding.new(passage, isMatched: isMatched, spelling: spelling), at: now)
            try keep(db, serverWord: word, isToldByPost: false, of: id)
            return true
        }
        let wasWithdrawn = standing.isWithdrawn
        let actions = standing.handle(.told(passage, isMatched: isMatched, spelling: spelling))
        try ReconciliationTable.perform(db, actions, at: now)
        try keep(db, serverWord: word, isToldByPost: standing.isToldByPost, of: id)
        return wasWithdrawn && !standing.isWithdrawn
    }

    private static func keep(_ db: Database, serverWord word: String?, isToldByPost: Bool, of id: String) throws {
        guard let word else { return }
        try db.execute(
            cached: """
                UPDATE remote_passages SET server_word = ?1, told_by_post = ?2
                WHERE client_id = ?3 AND (server_word IS NOT ?1 OR told_by_post <> ?2)
                """, arguments: [word, isToldByPost, id])
    }
}
