import GRDB

extension Salvage {
    /// What the server was never told to have, and has no place in line, goes to its end: the pages with its place can't be read, and without
    /// one nothing would ever send it, nor any comparison miss it. A server that has it all the same takes it for the same passage.
    ///
    /// One that was withdrawn stays here. Corrections of passages that the server has are left as they are: the server's word may be newer.
    /// - Returns: how many.
    func putInLine() throws -> Int {
        try store.write("Putting in line what was taken over") { db in
            try db.execute(
                sql: """
                    INSERT INTO sync_queue (entity, passage_client_id, sms_sent, created_at)
                    SELECT 'passage', p.client_id, EXISTS (SELECT 1 FROM sms_messages AS m
                        WHERE m.passage_client_id = p.client_id AND m.state IN ('sent', 'delivered', 'ambiguous')), p.created_at
                    FROM passages AS p WHERE p.server_id IS NULL AND p.withdrawn_at IS NULL AND p.server_deleted_at IS NULL
                        AND NOT EXISTS (SELECT 1 FROM sync_queue AS q WHERE q.passage_client_id = p.client_id AND q.entity = 'passage')
                    ORDER BY p.created_at, p.client_id
                    """)
            let count = db.changesCount
            guard count > 0 else { return 0 }
            try db.execute(
                sql: """
                    INSERT INTO photo_uploads (passage_client_id, sha256)
                    SELECT p.client_id, p.photo_sha256 FROM passages AS p
                        JOIN sync_queue AS q ON q.passage_client_id = p.client_id AND q.entity = 'passage' AND q.status = 'pending'
                        JOIN photos AS f ON f.sha256 = p.photo_sha256
                    WHERE p.server_id IS NULL AND f.removed_at IS NULL ON CONFLICT (passage_client_id) DO NOTHING
                    """)
            return count
        }
    }
}
