import Enforcement
import Foundation
import GRDB

/// Brings what can still be read of a damaged database into the one that took its place, while that one records.
///
/// What is there already stays: it is newer. A row that its schema refuses, or that refers to what is lost, is left out. Repeating it
/// changes nothing.
package struct Salvage {
    /// What was brought over.
    package struct Report: Sendable, Equatable {
        package var passages = 0
        /// Of what had not reached the server.
        package var unsent = 0
        package var photos = 0
        package var accounts = 0
        package var frames = 0
        package var others = 0

        /// Whether everything could be read.
        package var isWhole = true

        package init() {}

        package static func += (sum: inout Self, more: Self) {
            sum.passages += more.passages
            sum.unsent += more.unsent
            sum.photos += more.photos
            sum.accounts += more.accounts
            sum.frames += more.frames
            sum.others += more.others
            sum.isWhole = sum.isWhole && more.isWhole
        }
    }

    let damaged: DamagedDatabase
    let store: Store
    private let photos: PhotoStore

    /// Where the photos of that database are now.
    let photosAside: URL

    /// - Parameters:
    ///   - path: of the database that was set aside.
    ///   - photosAside: the folder of its photos; nil for the one that was set aside with it.
    /// - Throws: `StoreError` of kind `corrupt` when not even its first page makes sense.
    package init(_ path: String, photosAside: URL? = nil, into store: Store, photos: PhotoStore) throws {
        do {
            damaged = try DamagedDatabase(path: path)
        } catch let error as DatabaseError {
            throw StoreError(error, tried: "Reading the damaged database", path: path)
        }
        self.store = store
        self.photos = photos
        // checkpost.sqlite.damaged-TIME has its photos in photos.damaged-TIME.
        let stamp = path.range(of: ".damaged-", options: .backwards).map { String(path[$0.upperBound...]) } ?? ""
        self.photosAside = photosAside ?? photos.folder.appendingPathComponent("photos.damaged-\(stamp)")
    }

    package func close() { damaged.close() }

    /// What a box needs before its cameras begin: who may sign in, settings, the road, and which pictures were answered for.
    ///
    /// - Parameter seconds: it takes no longer; what is left comes with the rest.
    package func takeFirst(seconds: Double) throws -> Report {
        let deadline = ContinuousClock.now + .seconds(seconds)
        return try take(first: { ContinuousClock.now < deadline })
    }

    private func take(first goesOn: () -> Bool) throws -> Report {
        var report = Report()
        for table in Self.first {
            let isWhole = try damaged.read(table, while: goesOn) { rows in
                let count = try write(rows, into: table)
                switch table {
                case "users": report.accounts += count
                case "taken_frames": report.frames += count
                default: report.others += count
                }
            }
            report.isWhole = report.isWhole && isWhole
        }
        return report
    }

    /// Everything: what waits for the server first, then the other passages and what belongs to them.
    package func takeAll(at now: Instant) throws -> Report {
        var report = try take(first: { true })
        var unsent = Set<String>()
        try read("sync_queue", &report) { rows, _ in
            for row in rows where Self.text(row, "status") != "synced" && Self.text(row, "set_aside") == nil {
                if let id = Self.text(row, "passage_client_id") { unsent.insert(id) }
            }
        }
        for isUnsent in [true, false] {
            let wanted = { (row: Row, column: String) in
                Self.text(row, column).map(unsent.contains) == isUnsent
            }
            try read("passages", &report) { rows, report in
                try take(passages: rows.filter { wanted($0, "client_id") }, &report, at: now)
            }
            for table in ["passage_corrections", "passage_times", "photo_uploads", "sms_messages"] {
                try read(table, &report) { rows, report in
                    report.others += try write(rows.filter { wanted($0, "passage_client_id") }, into: table)
                }
            }
            guard isUnsent else { break }
            // Outcomes and dismissals wait for what they are about.
            try read("sync_queue", &report) { rows, report in
                let entries = rows.filter {
                    wanted($0, "passage_client_id") && ["passage", "correction"].contains(Self.text($0, "entity"))
                }
                report.unsent += try write(entries, into: "sync_queue")
            }
        }
        for table in Self.others {
            try read(table, &report) { rows, report in
                var rows = rows
                if table == "sightings" {
                    rows = try store.read("Looking for sightings") { db in try rows.filter { try !Self.isAgain($0, db) }
                    }
                    try takePictures(ofReviews: rows, &report, at: now)
                }
                report.others += try write(rows, into: table)
            }
        }
        report.unsent += try putInLine()
        return report
    }

    private static let first = [
        "users", "settings", "segments", "checkposts", "exempt_plates", "wanted_plates", "listed_plates",
        "camera_masks", "taken_frames",
        "boots",
        "camera_clocks",
    ]

    /// A value that makes sense as a text; the row may be rubbish.
    private static func text(_ row: Row, _ column: String) -> String? {
        guard let text = try? row.optionalText(column) else { return nil }
        return text
    }

    /// In an order in which what a row refers to comes first.
    private static let others = [
        "remote_passages", "further_passages", "matches", "violations", "violation_outcomes", "overstay_alerts",
        "sync_queue", "sightings", "trigger_events", "evidence_chains", "evidence_entries",
        "kept_texts",
    ]

    private func read(
        _ table: String, _ report: inout Report, _ take: ([Row], inout Report) throws -> Void
    ) throws {
        let isWhole = try damaged.read(table) { try take($0, &report) }
        report.isWhole = report.isWhole && isWhole
    }

    /// - Returns: how many were written.
    private func write(_ rows: [Row], into table: String) throws -> Int {
        guard !rows.isEmpty else { return 0 }
        return try store.write("Taking over \(table)") { db in
            var taken = TableRows(rows)
            defer { if table == "remote_passages" { Self.isHistory(db, .remote, rows) } }
            // It is in view no more, and nobody knows what would have been read next: a ranger does.
            if table == "sightings" { taken.replace("state", .open, by: .review) }
            return try taken.write(db, into: table, replacing: false)
        }
    }

    /// Each with its photo, if its file is there still.
    private func take(passages rows: [Row], _ report: inout Report, at now: Instant) throws {
        guard !rows.isEmpty else { return }
        var found: [String: PhotoRecord] = [:]
        for row in rows {
            guard let sha256 = Self.text(row, "photo_sha256"), let time = try? row.instant("recorded_at") else {
                continue
            }
            found[sha256] = adopt(sha256, recordedAt: time)
        }
        report.photos += found.count
        report.passages += try store.write("Taking over passages") { db in
            try rows.count { row in
                guard let passage = try? row.passage() else { return false }
                if let sha256 = passage.photoSHA256 {
                    try PhotoTable.putOnRecord(db, found[sha256], sha256: sha256, of: passage, at: now)
                }
                return try put(db, row, passage)
            }
        }
    }

    private func adopt(_ sha256: String, recordedAt time: Instant) -> PhotoRecord? {
        var photo = photos.adopt(sha256, recordedAt: time, from: photosAside)
        let kept = damaged.row("SELECT * FROM photos WHERE sha256 = ?", sha256)
        photo?.keptSHA256 = kept.flatMap { Self.text($0, "kept_sha256") }
        return photo
    }

    /// Whether the picture of a sighting that waits was read into both: it waits here, or is on record.
    static func isAgain(_ row: Row, _ db: Database) throws -> Bool {
        guard let state = text(row, "state"), waiting.contains(state), let sha256 = text(row, "best_sha256"),
            let plate = text(row, "plate_compact"), let reading = text(row, "reading")
        else { return false }
        // Several vehicles may be in one picture.
        let isHere = try Bool.fetchOne(
            db,
            cached: """
                SELECT EXISTS (SELECT 1 FROM sightings WHERE best_sha256 = ?1 AND id <> ?4
                        AND (reading = ?3 OR (plate_compact = ?2 AND plate_compact <> '')))
                    OR EXISTS (SELECT 1 FROM passages WHERE photo_sha256 = ?1 AND plate_compact = ?2)
                """, arguments: [sha256, plate, reading, text(row, "id") ?? ""])
        return isHere == true
    }

    private static let waiting = [SightingState.review, .open].map(\.rawValue)

    /// What a ranger has to decide is decided by its picture.
    private func takePictures(ofReviews rows: [Row], _ report: inout Report, at now: Instant) throws {
        let reviews = rows.filter { Self.text($0, "state").map(Self.waiting.contains) ?? false }
        let found = reviews.compactMap { row -> PhotoRecord? in
            guard let sha256 = Self.text(row, "best_sha256"), let time = try? row.instant("best_recorded_at") else {
                return nil
            }
            return adopt(sha256, recordedAt: time)
        }
        guard !found.isEmpty else { return }
        report.photos += found.count
        try store.write("Taking over pictures") { db in
            for photo in found { try PhotoTable.upsertPhoto(db, photo) }
        }
    }

    /// - Returns: whether it is new.
    private func put(_ db: Database, _ row: Row, _ passage: Passage) throws -> Bool {
        let id = passage.clientID.stored
        let isHere = try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?)", arguments: [id])
        if isHere == true {
            // It came back from the server, without its photo.
            try db.execute(
                cached: "UPDATE passages SET photo_sha256 = ? WHERE client_id = ? AND photo_sha256 IS NULL",
                arguments: [passage.photoSHA256, id])
            return false
        }
        if let twin = try Self.twin(db, passage) {
            // Its picture was read once more since. Where the server has this one, that takes over its ids.
            guard let serverID = try? row.optionalUUID("server_id") else { return false }
            let restored = RestoredPassage(
                passage: passage, serverID: serverID, smsClientID: try? row.optionalUUID("sms_client_id"),
                photoPath: try? row.optionalText("photo_path"))
            try ReconciliationTable.perform(
                db, ReconciliationTable.restoredStanding(db, restored, twin: twin).handle(restored),
                at: passage.recordedAt)
            return false
        }
        let isNew = try TableRows([row]).write(db, into: "passages", replacing: false) == 1
        Self.isHistory(db, .own, [row])
        return isNew
    }

    /// Matches come with the rest: nothing is matched or alerted anew because of what is taken over. What is recent is looked at once
    /// more at the end, by whoever asked for the salvage.
    private static func isHistory(_ db: Database, _ side: MatchWork.Side, _ rows: [Row]) {
        for row in rows {
            guard let id = text(row, "client_id") else { continue }
            // One more look does no harm.
            try? db.execute(
                cached: "DELETE FROM match_work WHERE side = ? AND client_id = ?", arguments: [side.rawValue, id])
        }
    }
}
