import Enforcement
import Foundation
import GRDB

extension Store {
    /// Of these ids of passages of this post those that no passage has, neither as its own nor as that of its SMS.
    package func unknownOwn(among ids: [UUID]) throws -> Set<UUID> {
        try read("Looking up passages") { db in
            Set(
                try ids.filter { id in
                    try Bool.fetchOne(
                        db,
                        cached: """
                            SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?1)
                                OR EXISTS (SELECT 1 FROM passages WHERE sms_client_id = ?1)
                            """, arguments: [id.stored]) != true
                })
        }
    }

    /// Puts passages back on record, without their photos. They are at the server, so nothing of them waits to be sent.
    ///
    /// What is here already, under any of its ids, stays as it is. A passage that was recorded here once more before it came back,
    /// and that is not at the server yet, takes over the server's ids and is not sent.
    ///
    /// - Returns: how many were new.
    @discardableResult
    package func restore(_ passages: [RestoredPassage]) throws -> Int {
        try write("Taking back passages") { db in
            try passages.count { restored in
                let actions = try Self.restoredStanding(db, restored).handle(restored)
                try Self.perform(db, actions, at: restored.passage.recordedAt)
                return actions == [.putOnRecord(restored)]
            }
        }
    }
}
