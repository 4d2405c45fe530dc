import Enforcement
import Foundation
import GRDB

/// Which passages could be the other end of one: each question is answered by an index, and bounded.
struct ResemblingQuery {
    let side: MatchWork.Side

    /// So many with the same plate before and after: the nearest decide, and ties among them.
    static let mostEqual = 20

    /// So many that look alike.
    static let mostAlike = 60

    /// So many with gaps before and after.
    static let mostPartial = 100

    /// A plate with gaps is compared with so many passages before and after, at most.
    static let mostCompared = 5000

    private var table: String { side.source.table }
    private var isUnmatched: String { side.source.isUnmatched }

    /// Arguments: plate, time, earliest or latest, limit.
    var equalBefore: String {
        """
        SELECT * FROM \(table) WHERE plate_compact = ? AND recorded_at <= ? AND recorded_at >= ? AND \(isUnmatched)
        ORDER BY recorded_at DESC, client_id LIMIT ?
        """
    }

    var equalAfter: String {
        """
        SELECT * FROM \(table) WHERE plate_compact = ? AND recorded_at > ? AND recorded_at <= ? AND \(isUnmatched)
        ORDER BY recorded_at, client_id LIMIT ?
        """
    }

    /// Arguments: a JSON array of plates, earliest, latest, time, limit.
    var alike: String {
        """
        SELECT * FROM \(table) WHERE plate_compact IN (SELECT value FROM json_each(?))
            AND recorded_at >= ? AND recorded_at <= ? AND \(isUnmatched)
        ORDER BY abs(recorded_at - ?), client_id LIMIT ?
        """
    }

    /// Arguments: time, earliest or latest, limit.
    var partialBefore: String {
        """
        SELECT * FROM \(table) WHERE instr(plate_compact, '?') > 0 AND recorded_at <= ? AND recorded_at >= ?
            AND \(isUnmatched) ORDER BY recorded_at DESC LIMIT ?
        """
    }

    var partialAfter: String {
        """
        SELECT * FROM \(table) WHERE instr(plate_compact, '?') > 0 AND recorded_at > ? AND recorded_at <= ?
            AND \(isUnmatched) ORDER BY recorded_at LIMIT ?
        """
    }

    /// Arguments: time, earliest or latest, limit, pattern.
    var comparedBefore: String {
        """
        SELECT * FROM (SELECT * FROM \(bareTable) WHERE recorded_at <= ? AND recorded_at >= ?
            ORDER BY recorded_at DESC, client_id DESC LIMIT ?) AS \(alias)
        WHERE plate_compact GLOB ? AND \(isUnmatched)
        """
    }

    var comparedAfter: String {
        """
        SELECT * FROM (SELECT * FROM \(bareTable) WHERE recorded_at > ? AND recorded_at <= ?
            ORDER BY recorded_at, client_id LIMIT ?) AS \(alias)
        WHERE plate_compact GLOB ? AND \(isUnmatched)
        """
    }

    private var bareTable: String { side == .own ? "passages" : "remote_passages" }
    private var alias: String { side == .own ? "p" : "r" }

    /// All questions, for those who look at how they are answered.
    var all: [String] { [equalBefore, equalAfter, alike, partialBefore, partialAfter, comparedBefore, comparedAfter] }
}

extension MatchTable {
    /// Unmatched passages of a post that could be the other end of `passage`: the same plate, one that looks alike, one with gaps;
    /// within the window. The nearest in time of each are among them, and `PassageMatcher` chooses.
    package func unmatched(
        _ side: MatchWork.Side, resembling passage: MatchablePassage, within window: TimeSpan
    ) throws -> [MatchablePassage] {
        try unmatched(side, resembling: passage.plate, near: passage.recordedAt, within: window)
    }

    package func unmatched(
        _ side: MatchWork.Side, resembling plate: Plate, near time: Instant, within window: TimeSpan
    ) throws -> [MatchablePassage] {
        let query = ResemblingQuery(side: side)
        let (at, first, last) = (
            time.milliseconds, (time - window).milliseconds, (time + window).milliseconds
        )
        return try read("Looking for a passage's counterpart") { db in
            var found: [UUID: MatchablePassage] = [:]
            func take(_ sql: String, _ arguments: StatementArguments) throws {
                for row in try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) {
                    guard let passage = try row.matchable() else { continue }
                    found[passage.clientID] = passage
                }
            }
            if plate.isPartial {
                let pattern = Self.pattern(of: plate)
                try take(query.comparedBefore, [at, first, ResemblingQuery.mostCompared, pattern])
                try take(query.comparedAfter, [at, last, ResemblingQuery.mostCompared, pattern])
            } else {
                try take(query.equalBefore, [plate.compact, at, first, ResemblingQuery.mostEqual])
                try take(query.equalAfter, [plate.compact, at, last, ResemblingQuery.mostEqual])
                let variants = LookAlike.variants(of: plate).sorted()
                let list = String(decoding: try JSONEncoder().encode(variants), as: UTF8.self)
                try take(query.alike, [list, first, last, at, ResemblingQuery.mostAlike])
            }
            try take(query.partialBefore, [at, first, ResemblingQuery.mostPartial])
            try take(query.partialAfter, [at, last, ResemblingQuery.mostPartial])
            return found.values.sorted {
                ($0.recordedAt, $0.clientID.uuidString) < ($1.recordedAt, $1.clientID.uuidString)
            }
        }
    }

    /// A plate with gaps as a pattern for `GLOB`; anything that isn't a letter or a digit stands for anything.
    private static func pattern(of plate: Plate) -> String {
        plate.compact.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "*" }.joined()
    }
}
