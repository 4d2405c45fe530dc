import Enforcement
import Foundation
import GRDB

/// Passages of other posts on further roads that this post stands on: the other side of violations there. Decision note 0338.
package struct FurtherPassageTable: Table {
    let store: Store
}

/// A passage of a further road, as far as it concerns this post.
package struct FurtherPassage: Sendable, Equatable {
    package var clientID: UUID
    package var serverID: UUID
    package var checkpostCode: String

    package init(clientID: UUID, serverID: UUID, checkpostCode: String) {
        self.clientID = clientID
        self.serverID = serverID
        self.checkpostCode = checkpostCode
    }
}

extension FurtherPassageTable {
    /// Keeps them. Repeating it changes nothing.
    package func keep(_ passages: [FurtherPassage], at now: Instant) throws {
        guard !passages.isEmpty else { return }
        try write("Keeping passages of further roads") { db in
            for passage in passages {
                try db.execute(
                    cached: """
                        INSERT INTO further_passages (client_id, server_id, checkpost_code, fetched_at) VALUES (?, ?, ?, ?)
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        passage.clientID.stored, passage.serverID.stored, passage.checkpostCode, now.milliseconds,
                    ])
            }
        }
    }

    /// The code of the post that recorded it; nil for a passage of the own road.
    package func checkpostCode(ofAny passages: [UUID]) throws -> String? {
        try read("Looking up a passage of a further road") { db in
            try passages.lazy.compactMap { passage in
                try String.fetchOne(
                    db, cached: "SELECT checkpost_code FROM further_passages WHERE client_id = ?",
                    arguments: [passage.stored])
            }.first
        }
    }

    /// - Returns: how many went. No violation that holds refers to them.
    static func prune(_ db: Database, olderThan cutoff: Instant, limit: Int) throws -> Int {
        try db.execute(
            cached: """
                DELETE FROM further_passages WHERE client_id IN (SELECT f.client_id FROM further_passages AS f
                    WHERE f.fetched_at < ?
                        AND NOT EXISTS (SELECT 1 FROM violations WHERE entry_client_id = f.client_id AND state <> 'withdrawn')
                        AND NOT EXISTS (SELECT 1 FROM violations WHERE exit_client_id = f.client_id) LIMIT ?)
                """, arguments: [cutoff.milliseconds, limit])
        return db.changesCount
    }
}
