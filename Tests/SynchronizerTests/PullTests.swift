import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("Pulling from a server", .timeLimit(.minutes(10)))
struct PullTests {
    private let moment = "2026-11-21T09:30:00.5+00:00"

    private func remotes(_ bench: Bench) throws -> [MatchablePassage] {
        try bench.store.matches.unmatched(
            .remote,
            from: Instant(milliseconds: 0), to: Instant(milliseconds: 4_000_000_000_000))
    }

    @Test(arguments: [true, false])
    func `gets 600 rows with one timestamp, once, against either server`(isExtended: Bool) throws {
        let bench = try Bench()
        bench.server.isExtended = isExtended
        for number in 0..<600 { bench.server.insertRemote("BA1PA\(1000 + number)", at: moment) }
        try bench.run()
        #expect(try remotes(bench).count == 600)
        #expect(Set(try remotes(bench).map(\.recordedAt)) == [Instant(iso8601: "2026-11-21T09:30:00.5Z")])
        bench.server.insertRemote("BA2PA1", at: moment)
        try bench.run(for: .seconds(31))
        #expect(try remotes(bench).count == 601)
    }

    @Test func `asks for nothing twice, by the server's sequence`() throws {
        let bench = try Bench()
        for number in 0..<3 { bench.server.insertRemote("BA1PA\(number + 1)", at: moment) }
        try bench.run(for: .seconds(31))
        let asked = bench.server.requests("GET", "/rest/v1/vehicle_passages").filter {
            $0.first("checkpost_id") == "neq.\(ParkServer.postA)"
        }
        #expect(asked.compactMap { $0.first("server_seq") } == ["gt.0", "gt.103"])
        #expect(asked.allSatisfy { $0.first("matched_passage_id") == "is.null" })
        #expect(asked.allSatisfy { $0.first("recorded_at")?.hasPrefix("gte.2026-11-19T10:0") == true })
    }

    @Test func `works against a server with the published columns alone`() throws {
        let bench = try Bench()
        bench.server.isExtended = false
        try bench.record("BA 1 PA 1")
        try bench.run()
        #expect(bench.serverPlates == ["BA1PA1"])
        #expect(bench.server.rows("vehicle_passages")[0]["clock_state"] == nil)
    }

    @Test func `does not move past a page that came damaged`() throws {
        let bench = try Bench { $0.pageSize = 10 }
        try bench.run()
        for number in 0..<25 { bench.server.insertRemote("BA1PA\(number + 1)", at: moment) }
        bench.server.fail("/rest/v1/vehicle_passages", .truncate)
        bench.server.fail("/rest/v1/vehicle_passages", .portal)
        try bench.run(for: .minutes(3))
        #expect(try remotes(bench).count == 25)
    }

    @Test func `leaves out a row that makes no sense, and takes the others`() throws {
        let bench = try Bench()
        bench.server.insertRemote("BA1PA1", at: moment)
        bench.server.insertRemote("BA1PA2", at: "2026-99-01T00:00:00+00:00")
        bench.server.insertRemote("BA1PA3", at: moment)
        try bench.record("BA 9 PA 9", photo: PhotoTests.photo(1))
        try bench.run()
        #expect(try Set(remotes(bench).map(\.plate.compact)) == ["BA1PA1", "BA1PA3"])
        #expect(bench.server.photos.count == 1)
        #expect(try bench.store.runs.list().contains { $0.failure?.contains("make no sense") == true })
    }

    @Test func `writes down that the server answers while it does, for a restart`() throws {
        let bench = try Bench()
        try bench.run(for: .minutes(5))
        let stored = try #require(try bench.store.cursors.value(SyncCursor.linkLastSuccess))
        #expect(bench.clock.now - Instant(milliseconds: stored) < .minutes(1))
    }

    @Test func `shows matching what came, and tells how far the other post is known`() throws {
        let bench = try Bench()
        bench.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
        bench.server.insertRemote("BA1PA2", at: "2026-11-21T09:40:00Z", source: "sms")
        bench.server.insertRemote("BA1PA3", at: "2026-11-21T23:40:00Z")
        try bench.run()
        #expect(bench.surroundings.arrivals == 1)
        #expect(try bench.store.cursors.otherPostKnownUpTo() == Instant(iso8601: "2026-11-21T09:30:00Z"))
        #expect(try remotes(bench).first?.plate.canonical == "BA 1 PA 1")
    }

    @Test func `takes limits and posts from the server`() throws {
        let bench = try Bench()
        try bench.run()
        let place = try bench.store.segments.segment(ofCheckpost: "BNP-A")
        #expect(place?.segment.distanceKm == 45)
        #expect(place?.checkposts.map(\.code) == ["BNP-A", "BNP-B"])
        bench.server.change("highway_segments", id: ParkServer.segment, ["max_speed_kmh": 50])
        try bench.run(for: .minutes(6))
        #expect(try bench.store.segments.segment(ofCheckpost: "BNP-A")?.segment.maxSpeedKmh == 50)
    }

    @Test func `says where the configuration and the server disagree about the road, until they agree`() throws {
        let bench = try Bench()
        bench.server.change("checkposts", id: ParkServer.postB, ["code": "BNP-X"])
        try bench.run()
        let alarm = try #require(try bench.store.alarms.list().first { $0.key == "sync.place" })
        #expect(alarm.message.contains("the server has BNP-X, and not BNP-B: correct `other_code`"))
        bench.server.change("checkposts", id: ParkServer.postB, ["code": "BNP-B"])
        try bench.run(for: .minutes(6))
        #expect(try bench.store.alarms.list().isEmpty)
    }

    @Test func `takes settings that the warden made for this post`() throws {
        let bench = try Bench()
        bench.server.insert(
            "device_settings", ["checkpost_id": ParkServer.postA, "settings": ["sync.interval_seconds": 60]])
        try bench.run()
        #expect(try bench.store.settings.value("sync.interval_seconds") == "60")
    }
}
