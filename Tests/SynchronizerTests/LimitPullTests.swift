import Enforcement
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Limits that the server tells", .timeLimit(.minutes(5)))
struct LimitPullTests {
    @Test
    func `takes over limits of vehicle types and the certificate of the distance, and says when they make no sense`()
        throws
    {
        let rig = try Rig()
        func speeds() throws -> TypeSpeeds? { try rig.store.segments.segment(ofCheckpost: "BNP-A")?.segment.typeSpeeds }
        try rig.run()
        #expect(try speeds() == TypeSpeeds())
        rig.server.change(
            id: ParkServer.segment,
            [SegmentColumn.typeSpeedsKmh: ["truck": 30, "hovercraft": 90], .distanceCertificate: "NBSM 2081-117"])
        try rig.run(for: .hours(1))
        #expect(try speeds() == TypeSpeeds([.truck: 30]))
        let segment = try rig.store.segments.segment(ofCheckpost: "BNP-A")?.segment
        #expect(segment?.distanceCertificate == "NBSM 2081-117")
        rig.server.change(id: ParkServer.segment, [SegmentColumn.typeSpeedsKmh: ["truck": 5]])
        try rig.run(for: .hours(1))
        #expect(try speeds() == TypeSpeeds([.truck: 30]))
        #expect(try rig.store.runs.list().contains { $0.failure?.contains("highest speed of a truck") == true })
    }

    @Test func `takes over limits by hours, and says when they make no sense`() throws {
        let rig = try Rig()
        func hours() throws -> HourLimits? { try rig.store.segments.hours(ofCheckpost: "BNP-A")?.limits }
        try rig.run()
        #expect(try hours() == HourLimits())
        func set(_ kmh: Int) {
            rig.server.change(
                id: ParkServer.segment,
                [SegmentColumn.hourLimits: [["from": "22:00", "until": "05:00", "kmh": kmh] as [String: Any]]])
        }
        set(30)
        try rig.run(for: .hours(1))
        #expect(try hours() == HourLimits(typed: "22:00-05:00 30"))
        set(5)
        try rig.run(for: .hours(1))
        #expect(try hours() == HourLimits(typed: "22:00-05:00 30"))
        #expect(try rig.store.runs.list().contains { $0.failure?.contains("highest speed of 22:00-05:00") == true })
    }

    @Test func `costs a quiet box about one question a cycle`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        rig.server.referenceMark = "one"
        try rig.run(for: .minutes(5))
        let before = rig.server.asked.count
        // The server says that it is there, as it does every quarter of a minute while it tells what changes.
        for _ in 0..<240 {
            try rig.engine.serverHeard()
            try rig.run(for: .seconds(30))
        }
        let asked = Dictionary(grouping: rig.server.asked[before...], by: \.path).mapValues(\.count)
        #expect((115...125).contains(asked[ParkFunction.tellReviews.databasePath] ?? 0), "\(asked)")
        #expect(asked[ParkFunction.news.databasePath, default: 0] <= 5, "\(asked)")
        #expect(asked[ParkPath.tables + "/post_reviews"] == nil)
        #expect(asked.values.reduce(0, +) < 260, "\(asked)")
    }

    @Test func `tells what waits with its question, and both apart where the server takes it no more`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        rig.server.referenceMark = "one"
        try rig.run(for: .minutes(3))
        func told() -> String? { rig.server.tables[Table.postReviews.rawValue]?.first?.text(ReviewColumn.asOf) }
        let first = try #require(told())
        try rig.run(for: .minutes(2))
        let second = try #require(told())
        #expect(second > first)
        rig.server.referenceMark = nil
        try rig.run(for: .minutes(3))
        #expect(try #require(told()) > second)
        let before = rig.server.asked.count
        try rig.run(for: .minutes(2))
        let asked = rig.server.asked[before...].map(\.path)
        #expect(
            !asked.contains(ParkFunction.tellReviews.databasePath) && asked.contains(ParkFunction.news.databasePath))
    }

    @Test func `fetches what there is while the server fails at what this post tells`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        rig.server.referenceMark = "one"
        try rig.run(for: .minutes(2))
        let failure = Answered.json(["message": "x"], status: 500)
        rig.server.fail(ParkFunction.tellReviews.databasePath, .answer(failure), times: 20)
        rig.server.insertRemote("BA 1 PA 1", at: "2026-11-21T09:30:00Z")
        try rig.run(for: .minutes(2))
        #expect(try rig.store.figures.now().remotePassages == 1)
        #expect(try !rig.store.alarms.list().contains { $0.key == "sync.cycle" })
    }

    @Test func `asks for settings, key and lists at once when the server marks a change, and once an hour else`() throws
    {
        let rig = try Rig()
        rig.server.keepsChanges = true
        rig.server.referenceMark = "one"
        func asked(_ path: String = "device_settings") -> Int { rig.server.asked.count { $0.path.contains(path) } }
        try rig.run(for: .minutes(2))
        let begun = asked()
        #expect(begun == 2, "before the mark was known, and with it")
        try rig.run(for: .minutes(50))
        #expect(asked() == begun)
        rig.server.insert(
            "device_settings", ["checkpost_id": ParkServer.postA, "settings": ["sync.interval_seconds": 60]])
        rig.server.referenceMark = "two"
        try rig.run(for: .minutes(2))
        #expect(try rig.store.settings.value("sync.interval_seconds") == "60")
        #expect(asked() == begun + 1)
        try rig.run(for: .minutes(62))
        #expect(asked() == begun + 2)
        // A server that makes a new mark each time is asked once a cycle and no more.
        let cycles = asked("news")
        for number in 0..<5 {
            rig.server.referenceMark = "\(number)"
            try rig.run(for: .minutes(1))
        }
        #expect(asked() - begun - 2 <= asked("news") - cycles)
    }
}
