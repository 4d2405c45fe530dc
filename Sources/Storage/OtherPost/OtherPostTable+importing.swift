import Enforcement
import Foundation

extension OtherPostTable {
    /// Rows of one transaction of an import: some tens of milliseconds.
    static let importChunk = 200

    /// Takes in a file of the other post's passages, some rows at a time, and lets others write in between.
    ///
    /// What was withdrawn comes first, so that an import that is interrupted never makes a withdrawn passage a candidate. Every
    /// row stands for itself: importing again, after an interruption or without one, changes nothing that is there.
    ///
    /// - Returns: how many in force were new, and how many were taken back.
    ///
    /// - Parameter withdrawn: known even if they were never in force here: an older file must not bring them back.
    package func takeIn(
        inForce: [MatchablePassage], withdrawn: [MatchablePassage] = [], at now: Instant
    ) throws -> (added: Int, takenBack: Int) {
        var (added, takenBack) = (0, 0)
        try inChunks(withdrawn) { rows in
            takenBack += try takeInWithdrawn(rows, at: now)
        }
        try inChunks(inForce) { rows in
            added += try upsert(rows, at: now)
        }
        return (added, takenBack)
    }

    /// After each chunk it pauses for as long as the chunk took: a writer that waits for the database asks now and then only.
    private func inChunks<Row>(_ rows: [Row], _ body: ([Row]) throws -> Void) throws {
        for start in stride(from: 0, to: rows.count, by: Self.importChunk) {
            let began = DispatchTime.now().uptimeNanoseconds
            try body(Array(rows[start..<min(start + Self.importChunk, rows.count)]))
            let took = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
            if start + Self.importChunk < rows.count { Thread.sleep(forTimeInterval: min(max(took, 0.02), 0.5)) }
        }
    }
}
