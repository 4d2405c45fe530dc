import Enforcement
import GRDB

extension Store {
    /// Forgets what nobody needs after a while: decided sightings and the other post's passages that nothing refers to.
    ///
    /// Passages, their photos, matches, violations and what rangers did are never pruned here. A sighting's reading takes some
    /// kilobytes, which at 2,000 vehicles a day would fill a small disk within a year.
    ///
    /// The last sighting of a camera stays, so that its numbers never start again.
    ///
    /// - Parameter limit: rows of each kind at most, so that nobody waits long for the write lock.
    /// - Returns: how many rows went.
    @discardableResult
    package func prune(olderThan cutoff: Instant, limit: Int = 1000) throws -> Int {
        try write("Forgetting old rows") { db in
            try db.execute(
                cached: """
                    DELETE FROM sightings WHERE id IN (
                        SELECT id FROM sightings AS s WHERE state IN ('recorded', 'discarded') AND last_seen_at < ?
                            AND EXISTS (SELECT 1 FROM sightings WHERE camera = s.camera AND number > s.number) LIMIT ?)
                    """, arguments: [cutoff.milliseconds, limit])
            let sightings = db.changesCount
            try db.execute(
                cached: """
                    DELETE FROM remote_passages WHERE client_id IN (
                        SELECT client_id FROM remote_passages AS r WHERE recorded_at < ?
                            AND NOT EXISTS (SELECT 1 FROM matches WHERE remote_client_id = r.client_id) LIMIT ?)
                    """, arguments: [cutoff.milliseconds, limit])
            return sightings + db.changesCount
        }
    }
}
