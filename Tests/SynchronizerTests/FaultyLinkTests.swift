import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("A bad link to the real server", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct FaultyLinkTests {
    @Test(arguments: [1, 6])
    func `brings every passage there once, in order, and the box agrees`(batchSize: Int) throws {
        let park = try RealPark()
        let seed = Seed.drawn()
        let link = try FaultyLink(to: park.url, seed: seed, trouble: 0.35)
        let post = try Post("a", park, url: link.url) {
            $0.queue.batchSize = batchSize
            // None is to step aside: the order is looked at.
            $0.queue.maximumAttempts = 1000
        }
        var plates: [String] = []
        for round in 0..<8 {
            for number in 0..<5 {
                plates.append(try post.record("BA \(round) PA \(1000 + number)", minute: 0).plate.compact)
            }
            try post.run(seconds: 120)
        }
        link.mend()
        try post.run(seconds: 120)
        let seedText: Comment = "seed \(seed)"
        #expect(link.spoiled > 10, seedText)
        #expect(try park.query("select plate_number from vehicle_passages order by server_seq") == plates, seedText)
        #expect(try post.store.queue.counts()[.synced] == plates.count, seedText)
        let ids = try Set(park.query("select id from vehicle_passages"))
        let known = try post.store.passages.list(limit: 100).compactMap { $0.serverID?.uuidString.lowercased() }
        #expect(Set(known) == ids, seedText)
        #expect(known.count == plates.count, seedText)
    }
}
