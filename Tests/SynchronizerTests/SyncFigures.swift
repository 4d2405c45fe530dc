import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// What synchronization costs, for people to read: `CHECKPOST_FIGURES=1 swift test --filter SyncFigures`.
@Suite(
    "Figures of synchronization",
    .enabled(if: RealPark.isPossible && ProcessInfo.processInfo.environment["CHECKPOST_FIGURES"] != nil), .serialized,
    .timeLimit(.minutes(10)))
struct SyncFigures {
    private static let count = 2000

    @Test func `of a queue of 2,000 passages, pgbench with the same rows, and a pull of 500`() throws {
        let park = try RealPark()
        var rates: [Int: Double] = [:]
        for size in [1, 20, 100] {
            let post = try Post("a", park) { $0.queue.batchSize = size }
            for number in 0..<Self.count { try post.record("BA \(size) PA \(1000 + number)", minute: -Double(number)) }
            let started = Date()
            // What the box gets back of its own post from the server is on record there already, and not counted.
            while try post.store.queue.counts()[.pending, default: 0] > 0 { try post.run() }
            let seconds = Date().timeIntervalSince(started)
            rates[size] = Double(Self.count) / seconds
            print(
                "figure: in batches of \(size): \(Int(Double(Self.count) / seconds)) a second, empty after \(seconds) s"
            )
        }
        let bench = try park.insertRate(rows: Self.count)
        for (size, rate) in rates.sorted(by: { $0.key < $1.key }) {
            print("figure: pgbench inserts \(Int(bench)) a second; batches of \(size) reach \(rate / bench) of that")
        }
        let post = try Post("b", park) { $0.maximumPagesACycle = 1 }
        let started = Date()
        try post.run()
        let rows = try post.store.matches.unmatched(
            .remote,
            from: Instant(milliseconds: 0), to: Instant(milliseconds: 4_000_000_000_000)
        ).count
        print("figure: the first cycle, which fetches \(rows) rows, takes \(Date().timeIntervalSince(started)) s")
    }
}
