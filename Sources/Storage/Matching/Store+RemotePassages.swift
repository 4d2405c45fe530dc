import Enforcement
import Foundation
import GRDB

extension Store {
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
    package func upsertRemotePassages(
        _ passages: [RemotePassage], matched: Set<UUID> = [], cursor: SyncCursor? = nil, at now: Instant
    ) throws -> Int {
        try write("Taking in the other post's passages") { db in
            var added = 0
            for passage in passages {
                let isNew = try Self.upsertRemote(db, passage, isMatched: matched.contains(passage.clientID), at: now)
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
    package func withdrawRemotePassages(_ clientIDs: [UUID], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking back the other post's passages") { db in
            let withdrawn = try clientIDs.count { try Self.withdrawRemote(db, $0, at: now) }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return withdrawn
        }
    }

    /// Puts passages that the other post withdrew on record as such, in one transaction: none of them is in force in between.
    ///
    /// - Returns: how many were new, or in force.
    func takeInWithdrawn(_ passages: [RemotePassage], at now: Instant) throws -> Int {
        try write("Taking in the other post's passages") { db in
            try passages.count { passage in
                _ = try Self.upsertRemote(db, passage, isMatched: false, at: now)
                return try Self.withdrawRemote(db, passage.clientID, at: now)
            }
        }
    }

    /// - Returns: whether it was in force.
    private static func withdrawRemote(_ db: Database, _ clientID: UUID, at now: Instant) throws -> Bool {
        guard var standing = try remoteStanding(db, clientID.stored) else { return false }
        let actions = standing.handle(.withdrawnThere)
        try perform(db, actions, at: now)
        return !actions.isEmpty
    }

    package func remotePassage(clientID: UUID) throws -> RemotePassage? {
        try read("Reading a passage of the other post") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM remote_passages WHERE client_id = ?", arguments: [clientID.stored]
            ).map { try $0.remotePassage() }
        }
    }

    /// Condition on `passages AS p`.
    static let ownIsUnmatched = """
        p.withdrawn_at IS NULL AND p.server_matched_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM matches WHERE own_client_id = p.client_id AND certainty = 'exact' AND state <> 'withdrawn')
        """

    /// Condition on `remote_passages AS r`.
    static let remoteIsUnmatched = """
        r.is_matched = 0 AND r.withdrawn_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM matches WHERE remote_client_id = r.client_id AND certainty = 'exact' AND state <> 'withdrawn')
        """

    /// - Returns: whether it is new, or in force again.
    private static func upsertRemote(
        _ db: Database, _ passage: RemotePassage, isMatched: Bool, at now: Instant
    ) throws -> Bool {
        let id = passage.clientID.stored
        if let serverID = passage.serverID {
            let known = try String.fetchOne(
                db, cached: "SELECT client_id FROM remote_passages WHERE server_id = ?", arguments: [serverID.stored])
            let isTaken = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM remote_passages WHERE client_id = ?)", arguments: [id])
            let identified = RemoteStanding.identify(
                passage.clientID, known: known.flatMap(UUID.init(uuidString:)), isTaken: isTaken == true)
            try perform(db, identified, at: now)
        }
        let spelling = try String.fetchOne(
            db, cached: "SELECT plate FROM passages WHERE plate_compact = ? ORDER BY recorded_at DESC LIMIT 1",
            arguments: [passage.plate.compact]
        ).map(Plate.init(canonical:))
        guard var standing = try remoteStanding(db, id) else {
            try perform(db, RemoteStanding.new(passage, isMatched: isMatched, spelling: spelling), at: now)
            return true
        }
        let wasWithdrawn = standing.isWithdrawn
        let actions = standing.handle(.told(passage, isMatched: isMatched, spelling: spelling))
        try perform(db, actions, at: now)
        return wasWithdrawn && !standing.isWithdrawn
    }
}
