import Enforcement
import Foundation
import GRDB

extension Salvage {
    /// The records that a person or the server would miss, with what names one.
    private static let missed = [
        ("passage_corrections", "id"), ("sync_queue", "id"), ("sightings", "id"), ("violation_outcomes", "id"),
        ("evidence_entries", "id"),
    ]

    /// How many records and pictures the other database has and this one lacks: while there is one, the other is to be kept.
    ///
    /// A passage whose picture was read into both is here, under another id.
    package func countOfMissing() throws -> Int {
        var again: Set<String> = []
        var count = try missing(from: "passages") { row, db in
            let id = try row.text("client_id")
            let isHere = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?)", arguments: [id])
            if isHere == true { return false }
            guard try Self.twin(db, row.passage()) != nil else { return true }
            again.insert(id)
            return false
        }
        for (table, key) in Self.missed {
            count += try missing(from: table) { row, db in
                if let passage = try? row.optionalText("passage_client_id"), again.contains(passage) { return false }
                if table == "sightings", try Self.isAgain(row, db) { return false }
                // What the server has is not missed for the line, and its passage is counted for itself.
                if table == "sync_queue", (try? row.text("status")) == "synced" { return false }
                let value: DatabaseValue = row[key]
                return try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE \(key) = ?", arguments: [value]) == nil
            }
        }
        return try count + missing(from: "photos", isMissing(photo:_:))
    }

    /// The passage here that one of the other database is once more: by its time, or by its picture, whose time may have been put right on
    /// one side only.
    static func twin(_ db: Database, _ passage: Passage) throws -> UUID? {
        try PassageTable.onRecord(db, passage) ?? PassageTable.ofPicture(db, passage)
    }

    /// What can't be read is missing.
    private func missing(from table: String, _ isMissing: (Row, Database) throws -> Bool) throws -> Int {
        var count = 0
        let isWhole = try damaged.read(table) { rows in
            count += try store.read("Comparing \(table)") { db in
                try rows.count { row in
                    do { return try isMissing(row, db) } catch is RowDecodingError { return true }
                }
            }
        }
        return isWhole ? count : count + 1
    }

    /// Earlier best frames, which nothing refers to, and what was removed there are not missed.
    private func isMissing(photo row: Row, _ db: Database) throws -> Bool {
        let (sha256, path) = (try row.text("sha256"), try row.text("path"))
        guard FileManager.default.fileExists(atPath: photosAside.path + path.dropFirst("photos".count)) else {
            return false
        }
        let isWanted =
            damaged.row("SELECT 1 FROM passages WHERE photo_sha256 = ?", sha256) != nil
            || damaged.row("SELECT 1 FROM sightings WHERE best_sha256 = ? AND state IN ('review', 'open')", sha256)
                != nil
        let isHere = try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM photos WHERE sha256 = ? AND removed_at IS NULL)",
            arguments: [sha256])
        return isWanted && isHere != true
    }
}
