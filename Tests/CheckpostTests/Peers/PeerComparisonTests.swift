import Enforcement
import Foundation
import PeerLink
import Storage
import Synchronization
import TestKit
import Testing

@testable import Appliance

/// A real box, whose other post is one that tells what the test wants: without a server nobody else sees that a clock is wrong.
@Suite("Two posts that don't agree", .serialized, .timeLimit(.minutes(10)))
struct PeerComparisonTests {
    /// What the other post tells.
    private final class Told: Sendable {
        /// How far its clock is ahead of the right time.
        let ahead = Mutex(TimeSpan.hours(1))
        let distanceKm = Mutex(45.0)
        let passage = UUID()
        private let recordedAt = BoxClock.now - .minutes(2)

        func reply(to question: Data) throws -> Data {
            let after = try JSONDecoder().decode(PeerAsk.self, from: question).news?.after ?? 0
            // One that is asked again at once has nothing new.
            if after >= 7 { usleep(300_000) }
            let row: [String: Any] = [
                "client_id": passage.uuidString.lowercased(), "plate": "BA1PA1111", "text": "BA 1 PA 1111",
                "checkpost": "BNP-B", "vehicle_type": "car", "clock_state": "synchronised",
                "recorded_at": recordedAt.iso8601,
            ]
            let road: [String: Any] = [
                "distanceKm": distanceKm.withLock { $0 }, "maxSpeedKmh": 40, "minSpeedKmh": 10, "position": 1,
            ]
            let now = (BoxClock.now + ahead.withLock { $0 }).milliseconds
            return try JSONSerialization.data(withJSONObject: [
                "upTo": 7, "hasMore": false, "since": 0, "passages": after < 7 ? [row] : [],
                "terms": ["now": now, "waited": 0, "road": road],
            ])
        }
    }

    private let box: RunningAppliance

    init() throws {
        var outside = RunningAppliance.Outside()
        outside.post = PostFile.text(of: "BNP-A", other: "BNP-B", position: 0)
        outside.more =
            "[peer]\naddress = \"127.0.0.1\"\nport = \(try FreePort.next())\nsilent_after_minutes = 1\n"
        box = try RunningAppliance(outside: outside)
    }

    private func alarm(_ key: String) throws -> Alarm? { try box.opened().alarms.list().first { $0.key == key } }

    private func paired(with told: Told, _ body: () async throws -> Void) async throws {
        let other = StandInPost("BNP-B", pairsWith: "BNP-A") { try told.reply(to: $0) }
        try await other.listening { address in
            try box.start()
            #expect(try await box.isRecording(), "\(box.log)")
            #expect(try await box.eventually { box.part("peer")?.state == "up" })
            let joined = try await Program.run(
                ["peer", "join", address, "\(other.code)", "--config", box.configuration.path])
            #expect(joined.status == 0, "\(joined.errors)")
            try await body()
            let stopped = try await box.stop()
            #expect(stopped.left == [] && stopped.seconds < 15, "\(stopped)")
        }
    }

    @Test func `take nothing while their clocks are an hour apart, say so, and take all once they agree`() async throws
    {
        let told = Told()
        try await paired(with: told) {
            #expect(try await box.eventually(30) { try alarm("peer.clock") != nil }, "\(box.log)")
            let words = try #require(try alarm("peer.clock"))
            #expect(words.message.contains("behind the other post's") && words.message.contains("min"), "\(words)")
            #expect(try box.opened().otherPost.passage(clientID: told.passage) == nil)
            let status = try await Program.run(["status", "--config", box.configuration.path]).output
            #expect(status.contains("behind the other post's"), "\(status)")
            told.ahead.withLock { $0 = .seconds(3) }
            #expect(
                try await box.eventually(40) { try box.opened().otherPost.passage(clientID: told.passage) != nil },
                "\(box.log)")
            #expect(try await box.eventually(20) { try alarm("peer.clock") == nil })
        }
    }

    @Test func `are told where their roads differ, until they don't`() async throws {
        let told = Told()
        told.ahead.withLock { $0 = .seconds(0) }
        told.distanceKm.withLock { $0 = 46.5 }
        try await paired(with: told) {
            #expect(try await box.eventually(100) { try alarm("peer.road") != nil }, "\(box.log)")
            let words = try #require(try alarm("peer.road")).message
            #expect(words.contains("the distance is 45.00 km here and 46.50 km there"), "\(words)")
            // Each judges on by its own.
            #expect(try await box.eventually { try box.opened().otherPost.passage(clientID: told.passage) != nil })
            told.distanceKm.withLock { $0 = 45 }
            #expect(try await box.eventually(30) { try alarm("peer.road") == nil }, "\(box.log)")
        }
    }

    @Test func `are not said to differ any more where their pairing ends`() async throws {
        let told = Told()
        try await paired(with: told) {
            #expect(try await box.eventually(30) { try alarm("peer.clock") != nil }, "\(box.log)")
            let ended = try await Program.run(["peer", "revoke", "--config", box.configuration.path])
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(try await box.eventually(40) { try alarm("peer.clock") == nil }, "\(box.log)")
        }
    }

    @Test(arguments: [nil, Int64.min, Int64.max, -1] as [Int64?], [Int64.min, 0, .max])
    func `compare no time that can't be one, and wait no time that can't be waited`(_ now: Int64?, _ waited: Int64)
        throws
    {
        let segment = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
        let road = try RoadTerms(segment, position: 1)
        let own = BoxClock.now
        #expect(PeerTerms(now: now, waited: waited, road: road).clocks(at: own, took: .seconds(1)) == nil)
        let right = PeerTerms(now: own.milliseconds, waited: waited, road: road).clocks(at: own, took: .seconds(1))
        #expect(right != nil && right?.apart == nil)
    }
}
