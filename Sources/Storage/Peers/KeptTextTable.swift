import Enforcement
import GRDB

/// Signed texts that other boxes gave this one, while neither had a link to the server. Nothing of them is believed here: the server alone
/// has the keys.
package struct KeptTextTable: Table {
    package struct Kept: Sendable, Equatable {
        package var id: Int64
        package var text: String
    }

    package enum Answer: Sendable, Equatable { case kept, full }

    /// Of one box: as many as it may give in the first day.
    package static let mostOfOne = 2000

    /// Of all of them together.
    package static let most = 10_000

    /// One that comes later than a day makes no match by itself: nobody knows what its clock was. The record has its own way.
    package static let longestAge = TimeSpan.days(7)

    let store: Store
}

extension KeptTextTable {
    /// Keeps a text, once. When it returns, it is on the disk.
    ///
    /// - Parameter giver: the public key of the box that gave it.
    package func keep(_ text: String, of giver: String, at now: Instant) throws -> Answer {
        try write("Keeping a text of another box") { db in
            let isKnown = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM kept_texts WHERE text = ?)", arguments: [text])
            guard isKnown != true else { return .kept }
            let own = try Int.fetchOne(
                db, cached: "SELECT count(*) FROM kept_texts WHERE giver = ?", arguments: [giver])
            let all = try Int.fetchOne(db, cached: "SELECT count(*) FROM kept_texts")
            guard own ?? 0 < Self.mostOfOne, all ?? 0 < Self.most else { return .full }
            try db.execute(
                cached: "INSERT INTO kept_texts (giver, text, taken_at) VALUES (?, ?, ?)",
                arguments: [giver, text, now.milliseconds])
            return .kept
        }
    }

    /// The one that is to be handed in next, in the order in which they came.
    ///
    /// - Parameter last: comes behind all others.
    package func first(last: Int64? = nil) throws -> Kept? {
        try read("Reading texts of other boxes") { db in
            try Row.fetchOne(
                db, cached: "SELECT id, text FROM kept_texts ORDER BY id IS ?, id LIMIT 1", arguments: [last]
            ).map { Kept(id: $0["id"], text: $0["text"]) }
        }
    }

    package func count() throws -> Int {
        try read("Counting texts of other boxes") { db in
            try Int.fetchOne(db, cached: "SELECT count(*) FROM kept_texts") ?? 0
        }
    }

    /// The server has it, whatever it says of it.
    package func handedIn(_ text: Kept) throws {
        try write("Letting go of a text that the server has") { db in
            try db.execute(cached: "DELETE FROM kept_texts WHERE id = ?", arguments: [text.id])
        }
    }

    /// Lets go of those that are too old, by a clock that can be believed.
    package func dropOld(at now: Instant) throws {
        try write("Letting go of old texts") { db in
            try db.execute(
                cached: "DELETE FROM kept_texts WHERE taken_at < ?",
                arguments: [(now - Self.longestAge).milliseconds])
        }
    }
}
