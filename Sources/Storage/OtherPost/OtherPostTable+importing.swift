import Enforcement
import Foundation

extension OtherPostTable {
    /// Rows of one transaction of an import: some tens of milliseconds.
    static let importChunk = 200

    /// Takes in what the other post says of its passages, some at a time, and lets others write in between.
    ///
    /// What was withdrawn comes first, so that an import that is interrupted never makes a withdrawn passage a candidate. Every
    /// row stands for itself: importing again, after an interruption or without one, changes nothing that is there. What is withdrawn is
    /// known even if it was never in force here: an older file must not bring it back.
    ///
    /// - Returns: how many in force were new, and how many were taken back.
    package func takeIn(_ words: [PostWord], at now: Instant) throws -> (added: Int, takenBack: Int) {
        var (added, takenBack) = (0, 0)
        let sorted = words.filter(\.isWithdrawn) + words.filter { !$0.isWithdrawn }
        try inChunks(sorted) { rows in
            try write("Taking in the other post's passages") { db in
                for word in rows {
                    switch try Self.take(db, word, at: now) {
                    case .added: added += 1
                    case .takenBack: takenBack += 1
                    case .known: break
                    }
                }
            }
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
