import Enforcement
import Foundation
import GRDB

/// Passages of this post, with what was corrected about them.
package struct PassageTable: Table {
    let store: Store
}

extension PassageTable {
    /// Records a passage that no frame gave: typed by a ranger. Repeating it changes nothing.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    package func record(_ passage: Passage, at now: Instant) throws -> Bool {
        try write("Recording a passage") { try Self.insert($0, passage, at: now) }
    }

    /// Passages of this post, the newest first.
    package func list(_ filter: PassageFilter = PassageFilter(), limit: Int = 100, offset: Int = 0) throws
        -> [StoredPassage]
    {
        let query: SQL = """
            \(StoredPassage.query) WHERE \(filter.condition)
            ORDER BY p.recorded_at DESC, p.client_id DESC LIMIT \(limit) OFFSET \(offset)
            """
        return try read("Reading passages") { db in
            try SQLRequest<Row>(literal: query).fetchAll(db).map(StoredPassage.init)
        }
    }

    /// When the first passage since a moment was recorded, of those whose time can be trusted; nil when there is none.
    package func firstRecordedAt(since moment: Instant) throws -> Instant? {
        try read("Reading the first passage") { db in
            try Int64.fetchOne(
                db,
                cached: """
                    SELECT recorded_at FROM passages WHERE recorded_at >= ? AND clock_state <> 'untrusted'
                    ORDER BY recorded_at LIMIT 1
                    """, arguments: [moment.milliseconds]
            ).map(Instant.init(milliseconds:))
        }
    }

    package func passage(clientID: UUID) throws -> StoredPassage? {
        let query: SQL = "\(StoredPassage.query) WHERE p.client_id = \(clientID.stored)"
        return try read("Reading a passage") { db in
            try SQLRequest<Row>(literal: query).fetchOne(db).map(StoredPassage.init)
        }
    }

    /// Of these ids of passages of this post those that no passage has, neither as its own nor as that of its SMS.
    package func unknown(among ids: [UUID]) throws -> Set<UUID> {
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

    /// Passages whose `client_id` begins with `prefix`, at most ten: what a person types instead of the whole.
    package func list(clientIDPrefix prefix: String) throws -> [StoredPassage] {
        let wanted = prefix.lowercased()
        let query: SQL = """
            \(StoredPassage.query) WHERE substr(p.client_id, 1, \(wanted.count)) = \(wanted)
            ORDER BY p.client_id LIMIT 10
            """
        return try read("Reading passages") { db in
            try SQLRequest<Row>(literal: query).fetchAll(db).map(StoredPassage.init)
        }
    }

    /// Hands every passage of a span to `body`, the oldest first, a page at a time: memory stays small however long the
    /// span, and the write-ahead log is not held up.
    package func forEach(_ filter: PassageFilter, _ body: (StoredPassage) throws -> Void) throws {
        var last: (time: Int64, id: String)?
        while true {
            var condition = filter.condition
            if let last { condition += " AND (p.recorded_at, p.client_id) > (\(last.time), \(last.id))" }
            let query: SQL = """
                \(StoredPassage.query) WHERE \(condition) ORDER BY p.recorded_at, p.client_id LIMIT \(Self.exportPage)
                """
            let page = try read("Reading passages") { db in
                try SQLRequest<Row>(literal: query).fetchAll(db).map(StoredPassage.init)
            }
            for passage in page { try body(passage) }
            guard page.count == Self.exportPage, let end = page.last else { return }
            last = (end.passage.recordedAt.milliseconds, end.id.stored)
        }
    }

    static let exportPage = 500

    /// The passage on record that this one is once more, under another id; nil when it is none.
    static func onRecord(_ db: Database, _ passage: Passage) throws -> UUID? {
        let span = Passage.samePlateWithin.milliseconds
        let nearby: SQL = """
            \(StoredPassage.query) WHERE p.recorded_at BETWEEN \(passage.recordedAt.milliseconds - span)
                AND \(passage.recordedAt.milliseconds + span) AND p.client_id <> \(passage.clientID.stored)
            ORDER BY abs(p.recorded_at - \(passage.recordedAt.milliseconds)), p.client_id
            """
        return try SQLRequest<Row>(literal: nearby).fetchAll(db).map(StoredPassage.init)
            .first { passage.isAgain($0.passage) }?.passage.clientID
    }

    /// The passage on record of the same vehicle in the same picture, whatever the clock said when that was read once more; nil when there
    /// is none.
    static func ofPicture(_ db: Database, _ passage: Passage) throws -> UUID? {
        guard let sha256 = passage.photoSHA256 else { return nil }
        return try String.fetchOne(
            db,
            cached: """
                SELECT client_id FROM passages WHERE photo_sha256 = ? AND plate_compact = ? AND client_id <> ?
                """, arguments: [sha256, passage.plate.compact, passage.clientID.stored]
        ).flatMap(UUID.init(uuidString:))
    }

    /// Writes a passage, its `pending` queue entry and its photo's upload; part of a transaction.
    ///
    /// - Returns: false when its `clientID` is there already: then nothing is written.
    static func insert(_ db: Database, _ passage: Passage, at now: Instant) throws -> Bool {
        let id = passage.clientID.stored
        try db.execute(
            cached: """
                INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,
                    clock_state, boot, boot_started_at, confidence, origin, photo_sha256, acted_by, travel, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (client_id) DO NOTHING
                """,
            arguments: [
                id, passage.plate.canonical, passage.plate.compact, passage.plateRaw, passage.vehicleType.rawValue,
                passage.checkpostCode, passage.recordedAt.milliseconds, passage.clockState.rawValue,
                passage.stampedBy?.boot, passage.stampedBy?.startedAt.milliseconds, passage.confidence,
                passage.origin.rawValue, passage.photoSHA256, passage.actedBy, passage.travel?.rawValue,
                now.milliseconds,
            ])
        guard db.changesCount == 1 else { return false }
        try db.execute(
            cached: "INSERT INTO sync_queue (entity, passage_client_id, created_at) VALUES ('passage', ?, ?)",
            arguments: [id, now.milliseconds])
        if let sha256 = passage.photoSHA256 {
            try db.execute(
                cached: "INSERT INTO photo_uploads (passage_client_id, sha256) VALUES (?, ?)", arguments: [id, sha256])
        }
        try EvidenceTable.append(db, .passage(passage), checkpost: passage.checkpostCode, at: now)
        return true
    }
}
