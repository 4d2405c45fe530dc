import Enforcement
import Foundation
import GRDB

extension Store {
    /// Between two calls of `prepare` so many numbers may be given at most.
    private static let numberMargin: Int64 = 1_000_000

    /// Prepares an empty database to stand in for this one while its disk is away: who may sign in, settings, exempt and wanted plates, which
    /// pictures were answered for, and numbers above those that are given here. What is recorded there can then be brought home beside what
    /// is here.
    ///
    /// Repeated, it writes what is new. One that has stood in already holds records: it is left alone.
    package func prepare(standIn: Store, at now: Instant) throws {
        guard try standIn.hasStoodIn == false else { return }
        _ = try standIn.takeAccounts(from: self)
        try standIn.takePictures(from: self)
        let (numbers, sighting) = try read("Reading how far numbers have come") { db in
            (
                try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence").map {
                    (try $0.text("name"), try $0.decode(Int64.self, forColumn: "seq"))
                },
                try Int64.fetchOne(db, sql: "SELECT max(number) FROM sightings") ?? 0
            )
        }
        try standIn.write("Preparing a database that stands in") { db in
            for (table, number) in numbers where try db.tableExists(table) {
                try Self.skip(db, table, to: number + Self.numberMargin)
            }
            try CursorTable.setCursor(
                db, SyncCursor(name: SyncCursor.sightingFloor, value: sighting + Self.numberMargin), at: now)
        }
    }

    /// No picture that was answered for there is read once more here.
    private func takePictures(from other: Store) throws {
        let last = try read("Reading which pictures are known") { db in
            try Int64.fetchOne(db, sql: "SELECT max(taken_at) FROM taken_frames")
        }
        let (rows, oldest) = try other.read("Reading which pictures were answered for") { db in
            (
                try Row.fetchAll(db, sql: "SELECT * FROM taken_frames WHERE taken_at >= ?", arguments: [last ?? 0]),
                try Int64.fetchOne(db, sql: "SELECT min(taken_at) FROM taken_frames")
            )
        }
        guard !rows.isEmpty || last != nil else { return }
        try write("Noting which pictures were answered for") { db in
            try TableRows(rows).write(db, into: "taken_frames", replacing: true)
            try db.execute(
                sql: "DELETE FROM taken_frames WHERE taken_at < ?", arguments: [oldest ?? Int64.max])
        }
        let theirs = try other.countOfPictures()
        guard try countOfPictures() != theirs else { return }
        // A clock that went back noted some of them before the newest ones: 1970 at boot.
        let all = try other.read("Reading which pictures were answered for") { db in
            try Row.fetchAll(db, sql: "SELECT * FROM taken_frames")
        }
        try write("Noting which pictures were answered for") { db in
            try db.execute(sql: "DELETE FROM taken_frames")
            try TableRows(all).write(db, into: "taken_frames", replacing: true)
        }
    }

    private func countOfPictures() throws -> Int64 {
        try read("Counting the pictures that were answered for") { db in
            try Int64.fetchOne(db, sql: "SELECT count(*) FROM taken_frames") ?? 0
        }
    }

    /// Whether records were made here while the disk of another database was away.
    package var hasStoodIn: Bool { get throws { try cursors.value(SyncCursor.stoodInSince) != nil } }

    /// The first records are about to be made here. What the server has of this post is wanted, as after a loss.
    package func beginStandingIn(at now: Instant) throws {
        guard try !hasStoodIn else { return }
        try beginAfterLoss(at: now)
        try cursors.set(SyncCursor(name: SyncCursor.stoodInSince, value: now.milliseconds), at: now)
    }

    static func skip(_ db: Database, _ table: String, to number: Int64) throws {
        try db.execute(sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", arguments: [number, table])
        if db.changesCount == 0 {
            try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
        }
    }
}

extension SyncCursor {
    /// Since then this database has stood in for one whose disk was away.
    static let stoodInSince = "stood_in_since"
}
