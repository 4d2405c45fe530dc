import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("Pulling from a server", .timeLimit(.minutes(10)))
struct PullTests {
    private let moment = "2026-11-21T09:30:00.5+00:00"

    private func remotes(_ rig: Rig) throws -> [MatchablePassage] {
        try rig.store.matches.unmatched(
            .remote,
            from: Instant(milliseconds: 0), to: Instant(milliseconds: 4_000_000_000_000))
    }

    @Test(arguments: [true, false])
    func `gets 600 rows with one timestamp, once, against either server`(isExtended: Bool) throws {
        let rig = try Rig()
        rig.server.isExtended = isExtended
        for number in 0..<600 { rig.server.insertRemote("BA1PA\(1000 + number)", at: moment) }
        try rig.run()
        #expect(try remotes(rig).count == 600)
        #expect(Set(try remotes(rig).map(\.recordedAt)) == [Instant(iso8601: "2026-11-21T09:30:00.5Z")])
        rig.server.insertRemote("BA2PA1", at: moment)
        try rig.run(for: .seconds(31))
        #expect(try remotes(rig).count == 601)
    }

    @Test func `asks for nothing twice, by the server's sequence`() throws {
        let rig = try Rig()
        rig.server.tellsNews = false
        for number in 0..<3 { rig.server.insertRemote("BA1PA\(number + 1)", at: moment) }
        try rig.run(for: .seconds(31))
        let asked = rig.server.requests("GET", "/rest/v1/vehicle_passages").filter {
            $0.first("checkpost_id") == "neq.\(ParkServer.postA)"
        }
        #expect(asked.compactMap { $0.first("server_seq") } == ["gt.0", "gt.103"])
        #expect(asked.allSatisfy { $0.first("matched_passage_id") == "is.null" })
        #expect(asked.allSatisfy { $0.first("recorded_at")?.hasPrefix("gte.2026-11-19T10:0") == true })
    }

    @Test func `works against a server with the published columns alone`() throws {
        let rig = try Rig()
        rig.server.isExtended = false
        try rig.record("BA 1 PA 1")
        try rig.run()
        #expect(rig.serverPlates == ["BA1PA1"])
        #expect(rig.server.rows("vehicle_passages")[0]["clock_state"] == nil)
    }

    @Test func `does not move past a page that came damaged`() throws {
        let rig = try Rig { $0.pageSize = 10 }
        try rig.run()
        for number in 0..<25 { rig.server.insertRemote("BA1PA\(number + 1)", at: moment) }
        rig.server.fail("/rest/v1/vehicle_passages", .truncate)
        rig.server.fail("/rest/v1/vehicle_passages", .portal)
        try rig.run(for: .minutes(3))
        #expect(try remotes(rig).count == 25)
    }

    @Test func `leaves out a row that makes no sense, and takes the others`() throws {
        let rig = try Rig()
        rig.server.insertRemote("BA1PA1", at: moment)
        rig.server.insertRemote("BA1PA2", at: "2026-99-01T00:00:00+00:00")
        rig.server.insertRemote("BA1PA3", at: moment)
        try rig.record("BA 9 PA 9", photo: PhotoTests.photo(1))
        try rig.run()
        #expect(try Set(remotes(rig).map(\.plate.compact)) == ["BA1PA1", "BA1PA3"])
        #expect(rig.server.photos.count == 1)
        #expect(try rig.store.runs.list().contains { $0.failure?.contains("make no sense") == true })
    }

    @Test func `writes down that the server answers while it does, for a restart`() throws {
        let rig = try Rig()
        try rig.run(for: .minutes(5))
        let stored = try #require(try rig.store.cursors.value(SyncCursor.linkLastSuccess))
        #expect(rig.clock.now - Instant(milliseconds: stored) < .minutes(1))
    }

    @Test func `shows matching what came, and tells how far the other post is known`() throws {
        let rig = try Rig()
        rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
        rig.server.insertRemote("BA1PA2", at: "2026-11-21T09:40:00Z", source: "sms")
        rig.server.insertRemote("BA1PA3", at: "2026-11-21T23:40:00Z")
        try rig.run()
        #expect(rig.surroundings.arrivals == 1)
        #expect(try rig.store.cursors.otherPostKnownUpTo() == Instant(iso8601: "2026-11-21T09:30:00Z"))
        #expect(try remotes(rig).first?.plate.canonical == "BA 1 PA 1")
    }

    private func tell(_ rig: Rig, asOf: String, completeUpTo: String?) {
        rig.server.removeRows(.postReviews) { _ in true }
        rig.server.insert([
            ReviewColumn.checkpost: ParkServer.postB, .asOf: asOf, .waiting: [Any](),
            .completeUpTo: completeUpTo ?? NSNull() as Any,
        ])
    }

    @Test func `knows a quiet post up to what it says of itself`() throws {
        let rig = try Rig()
        tell(rig, asOf: "2026-11-21T09:59:00Z", completeUpTo: "2026-11-21T09:58:00Z")
        try rig.run()
        #expect(try rig.store.cursors.otherPostKnownUpTo() == Instant(iso8601: "2026-11-21T09:58:00Z"))
        // Neither from a clock that is ahead, nor further than when it said so.
        tell(rig, asOf: "2026-11-21T10:00:10Z", completeUpTo: "2026-11-21T23:00:00Z")
        try rig.run(for: .minutes(1))
        #expect(try rig.store.cursors.otherPostKnownUpTo() == Instant(iso8601: "2026-11-21T10:00:10Z"))
    }

    @Test func `doesn't take a post for known before all of it is read`() throws {
        let rig = try Rig {
            $0.pageSize = 2
            $0.maximumPagesACycle = 1
        }
        tell(rig, asOf: "2026-11-21T09:59:00Z", completeUpTo: "2026-11-21T09:58:00Z")
        for minute in 10..<13 { rig.server.insertRemote("BA1PA\(minute)", at: "2026-11-21T09:\(minute):00Z") }
        try rig.run()
        #expect(try remotes(rig).count == 2)
        #expect(try rig.store.cursors.otherPostKnownUpTo() == nil)
        try rig.run(for: .minutes(1))
        #expect(try rig.store.cursors.otherPostKnownUpTo() == Instant(iso8601: "2026-11-21T09:58:00Z"))
    }

    @Test func `hears of reviews through a server that can't tell how far a post is known`() throws {
        let rig = try Rig()
        rig.server.hasCompleteness = false
        tell(rig, asOf: "2026-11-21T09:59:00Z", completeUpTo: nil)
        try rig.run()
        #expect(try rig.store.otherPost.known().reviews?.asOf == Instant(iso8601: "2026-11-21T09:59:00Z"))
        let asked = rig.server.requests("POST", ParkPath.tables + "/post_reviews")
        let told = try #require(asked.last?.json as? ParkServer.Row)
        #expect(told[ReviewColumn.completeUpTo] == nil && told[ReviewColumn.asOf] != nil)
    }

    @Test func `says up to when all that its camera saw is at the server`() throws {
        let rig = try Rig()
        func told() -> String? {
            rig.server.rows(.postReviews).last { $0.text(ReviewColumn.checkpost) == ParkServer.postA }?
                .text(ReviewColumn.completeUpTo)
        }
        try rig.run()
        #expect(told() == nil, "its camera has said nothing yet")
        let watched = rig.clock.now
        try rig.store.frames.commit(FrameCommit(camera: "gate", watch: .init(upTo: watched), at: watched))
        try rig.run(for: .minutes(2))
        #expect(told() == watched.iso8601)
        // One that the server doesn't take waits here for somebody.
        rig.server.refusals["BA9PA9"] = 400
        try rig.record("BA 9 PA 9")
        let later = rig.clock.now + .seconds(30)
        try rig.store.frames.commit(FrameCommit(camera: "gate", watch: .init(upTo: later), at: later))
        try rig.run(for: .minutes(2))
        #expect(told() == later.iso8601)
        let row = rig.server.rows(.postReviews).last { $0.text(ReviewColumn.checkpost) == ParkServer.postA }
        let waiting = row?[ReviewColumn.waiting] as? [[String: String]]
        #expect(waiting?.map { $0["plate"] } == ["BA 9 PA 9"])
    }

    @Test func `takes limits and posts from the server`() throws {
        let rig = try Rig()
        try rig.run()
        let place = try rig.store.segments.segment(ofCheckpost: "BNP-A")
        #expect(place?.segment.distanceKm == 45)
        #expect(place?.checkposts.map(\.code) == ["BNP-A", "BNP-B"])
        rig.server.change("highway_segments", id: ParkServer.segment, ["max_speed_kmh": 50])
        try rig.run(for: .minutes(6))
        #expect(try rig.store.segments.segment(ofCheckpost: "BNP-A")?.segment.maxSpeedKmh == 50)
    }

    @Test func `says where the configuration and the server disagree about the road, until they agree`() throws {
        let rig = try Rig()
        rig.server.change("checkposts", id: ParkServer.postB, ["code": "BNP-X"])
        try rig.run()
        let alarm = try #require(try rig.store.alarms.list().first { $0.key == "sync.place" })
        #expect(alarm.message.contains("the server has BNP-X, and not BNP-B: correct `other_code`"))
        rig.server.change("checkposts", id: ParkServer.postB, ["code": "BNP-B"])
        try rig.run(for: .minutes(6))
        #expect(try rig.store.alarms.list().isEmpty)
    }

    @Test func `takes settings that the warden made for this post`() throws {
        let rig = try Rig()
        rig.server.insert(
            "device_settings", ["checkpost_id": ParkServer.postA, "settings": ["sync.interval_seconds": 60]])
        try rig.run()
        #expect(try rig.store.settings.value("sync.interval_seconds") == "60")
    }

    @Test func `takes the key for signed texts, keeps it from a server that says nothing, and drops it at its word`()
        throws
    {
        let rig = try Rig()
        try rig.run()
        #expect(rig.store.textKey.read() == nil, "the server has no such function")
        let secret = String(repeating: "5a", count: 32)
        rig.server.textKey = ["version": "V2", "number": 3, "secret": secret, "last_text_number": 41]
        try rig.run(for: .minutes(6))
        let key = try #require(rig.store.textKey.read())
        #expect(key.number == 3 && key.secret.revealed == secret && key.lastTextNumber == 41)
        rig.server.textKey = nil
        try rig.run(for: .minutes(6))
        #expect(rig.store.textKey.read() == key)
        rig.server.textKey = ["version": "V1"]
        try rig.run(for: .minutes(6))
        #expect(rig.store.textKey.read() == nil)
    }

    @Test func `asks little while the road is quiet, and everything when the number moves`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        rig.server.insertRemote("BA 1 PA 1", at: "2026-11-21T09:30:00Z")
        try rig.run(for: .minutes(2))
        func asked(during body: () throws -> Void) rethrows -> [String: Int] {
            let before = rig.server.asked.count
            try body()
            return Dictionary(grouping: rig.server.asked[before...], by: \.path).mapValues(\.count)
        }
        let quiet = try asked { try rig.run(for: .minutes(4)) }
        #expect(quiet[ParkFunction.news.databasePath] == 8, "\(quiet)")
        // Whether the server was put back is asked each time, by the rows that it told last.
        #expect(quiet[ParkPath.tables + "/vehicle_passages", default: 0] <= 8)
        #expect(quiet[ParkPath.tables + "/violations"] == nil && quiet[ParkPath.tables + "/violation_outcomes"] == nil)
        #expect(quiet[ParkPath.tables + "/sync_runs"] == nil, "a cycle that did nothing is no news")
        // What the other post says of itself comes with the answer.
        let watched = rig.clock.now.iso8601
        tell(rig, asOf: watched, completeUpTo: watched)
        try rig.run(for: .seconds(31))
        #expect(try rig.store.cursors.otherPostKnownUpTo()?.iso8601 == watched)

        rig.server.insertRemote("BA 1 PA 2", at: "2026-11-21T09:40:00Z")
        try rig.run(for: .seconds(31))
        #expect(try remotes(rig).count == 2)
        // And now and then whatever the number says.
        let later = try asked { try rig.run(for: .minutes(11)) }
        #expect(later[ParkPath.tables + "/violations"] == 1, "\(later)")
    }

    @Test func `asks everything of a server that can't say whether there is anything new`() throws {
        let rig = try Rig()
        rig.server.tellsNews = false
        try rig.run(for: .minutes(2))
        #expect(rig.server.requests("POST", ParkFunction.news.databasePath).count == 1, "it is asked once a run")
        #expect(rig.server.requests("GET", ParkPath.tables + "/violations").count >= 4)
        rig.server.insertRemote("BA 1 PA 1", at: "2026-11-21T09:30:00Z")
        try rig.run(for: .seconds(31))
        #expect(try remotes(rig).count == 1)
    }

    @Test func `takes over the plates that the office lists, and what it takes off is off here`() throws {
        let rig = try Rig()
        func list(_ kind: String, _ plate: String, ended: String? = nil) {
            rig.server.insert(
                "listed_plates",
                [
                    "kind": kind, "plate_number": plate, "reason": "Stolen", "listed_at": "2026-11-21T10:00:00+00:00",
                    "ended_at": ended as Any? ?? NSNull(),
                ])
        }
        list("wanted", "BA 1 CHA 7777")
        list("exempt", "BA1JHA1")
        list("wanted", "BA 1 CHA 8888", ended: "2026-11-21T11:00:00+00:00")
        // Rows that make no sense take none of the others with them.
        list("hated", "BA 1 CHA 9999")
        list("wanted", "")
        try rig.run()
        #expect(try rig.store.wantedPlates.list().map(\.plate.canonical) == ["BA 1 CHA 7777"])
        #expect(try rig.store.exemptPlates.list().map(\.plate.canonical) == ["BA 1 JHA 1"])
        // One that was set back to a version without lists has taken nothing off.
        rig.server.tables["listed_plates"] = nil
        try rig.run(for: .minutes(6))
        #expect(try rig.store.wantedPlates.list().count == 1)
        rig.server.tables["listed_plates"] = []
        try rig.run(for: .minutes(6))
        #expect(try rig.store.wantedPlates.list().isEmpty && rig.store.exemptPlates.list().isEmpty)
    }
}
