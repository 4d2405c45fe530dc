import Enforcement
import Foundation
import GRDB

/// How much of what was fetched from the server is here.
package struct FetchedCounts: Sendable, Equatable {
    /// Passages of the other post that a reset removes.
    package var passages = 0
    /// Those that stay: a match, a violation or an alert here refers to them, or they were withdrawn there.
    package var passagesKept = 0
    package var listedPlates = 0
    package var accounts = 0
    package var violations = 0

    package init() {}
}

/// What was fetched from the server, and which of it a person wants fetched anew. Nothing that was recorded here is touched by it.
///
/// A wish is on record until it is done. Only the one who reads from the server does it, between two of its cycles: a page under
/// way would put back the cursor that was just forgotten.
package struct FetchedTable: Table {
    let store: Store
}

extension FetchedTable {
    private static func wish(_ kind: FetchedKind) -> String { "forget_" + kind.rawValue }

    /// Of the other post's passages those that nothing here refers to.
    private static let isLoose = """
        r.withdrawn_at IS NULL AND NOT EXISTS (SELECT 1 FROM matches WHERE remote_client_id = r.client_id)
            AND NOT EXISTS (SELECT 1 FROM violations WHERE exit_client_id = r.client_id)
            AND NOT EXISTS (SELECT 1 FROM violations WHERE entry_client_id = r.client_id AND state <> 'withdrawn')
            AND (r.server_id IS NULL
                OR r.server_id NOT IN (SELECT server_matched_id FROM passages WHERE server_matched_id IS NOT NULL))
            AND r.client_id NOT IN (SELECT resolved_by_client_id FROM overstay_alerts WHERE resolved_by_client_id IS NOT NULL)
        """

    package func counts() throws -> FetchedCounts {
        try read("Counting what was fetched") { db in
            var counts = FetchedCounts()
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM " + sql) ?? 0 }
            counts.passages = try count("remote_passages AS r WHERE " + Self.isLoose)
            counts.passagesKept = try count("remote_passages") - counts.passages
            counts.listedPlates = try count("listed_plates")
            counts.accounts = try count("users WHERE origin = 'server'")
            counts.violations = try count("violations WHERE state = 'confirmed'")
            return counts
        }
    }

    /// Keeps that some of it is to be fetched anew.
    package func wish(_ kinds: Set<FetchedKind>, at now: Instant) throws {
        try write("Keeping what is to be fetched anew") { db in
            for kind in kinds {
                try CursorTable.setCursor(db, SyncCursor(name: Self.wish(kind), value: now.milliseconds), at: now)
            }
        }
    }

    /// What is to be fetched anew, and was not forgotten yet.
    package func wishes() throws -> Set<FetchedKind> {
        try read("Reading what is to be fetched anew") { db in
            let names = try String.fetchAll(
                db, cached: "SELECT name FROM sync_cursors WHERE name >= 'forget_' AND name < 'forget`'")
            return Set(FetchedKind.allCases.filter { names.contains(Self.wish($0)) })
        }
    }

    /// All of it is forgotten. What the other post told while its passages went may have gone with them: it is heard once more.
    package func done(_ kind: FetchedKind) throws {
        try write("Forgetting what was to be fetched anew") { db in
            try db.execute(cached: "DELETE FROM sync_cursors WHERE name = ?", arguments: [Self.wish(kind)])
            if kind == .passages { try Self.forgetOther(db) }
        }
    }

    /// Reads the server from the start where a cursor's name begins with one of these; until it was read, nothing counts as known of the
    /// other post: its silence would be taken for a vehicle that stays in the park.
    package func beginAnew(_ prefixes: [String], otherPostToo: Bool) throws {
        try write("Forgetting how far the server was read") { db in
            for prefix in prefixes {
                try db.execute(
                    cached: "DELETE FROM sync_cursors WHERE substr(name, 1, length(?1)) = ?1", arguments: [prefix])
            }
            if otherPostToo { try Self.forgetOther(db) }
        }
    }

    /// Nothing is known of the other post from now on. What it told itself may be at no server: it is asked for all of it, behind a number
    /// that never was, so that no answer that is under way counts.
    private static func forgetOther(_ db: Database) throws {
        try db.execute(
            cached: "DELETE FROM sync_cursors WHERE name = ?", arguments: [SyncCursor.otherPostKnownUpTo])
        try db.execute(cached: "DELETE FROM other_post_reviews")
        try db.execute(
            cached:
                "UPDATE peers SET unread = 0, mark = CASE WHEN mark BETWEEN -1000000 AND -1 THEN mark - 1 ELSE -1 END")
    }

    /// Removes some of the other post's passages.
    ///
    /// - Returns: how many; none when all that may go is gone.
    package func forgetPassages(limit: Int = 1000) throws -> Int {
        try write("Forgetting the other post's passages") { db in
            try db.execute(
                sql: """
                    DELETE FROM remote_passages WHERE client_id IN (
                        SELECT client_id FROM remote_passages AS r WHERE \(Self.isLoose) LIMIT ?)
                    """, arguments: [limit])
            return db.changesCount
        }
    }

    /// Removes the server's accounts, and ends their sessions. Those of the box stay.
    ///
    /// - Returns: how many.
    package func forgetAccounts() throws -> Int {
        try write("Forgetting the server's accounts") { db in
            try db.execute(cached: "DELETE FROM users WHERE origin = 'server'")
            return db.changesCount
        }
    }
}
