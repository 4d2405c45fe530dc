import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("Settings on record", .timeLimit(.minutes(10)))
struct SettingTests {
    @Test func `take the server's word over the file's, and the file's again without it`() throws {
        let test = try TestStore()
        try test.store.settings.replace(["a": "1", "b": "2"], from: .file, at: minute(0))
        try test.store.settings.replace(["a": "3"], from: .server, at: minute(0))
        #expect(try test.store.settings.all() == ["a": "3", "b": "2"])
        #expect(try test.store.settings.value("a") == "3")
        try test.store.settings.replace([:], from: .server, at: minute(1))
        #expect(try test.store.settings.value("a") == "1")
        #expect(try test.store.settings.value("c") == nil)
    }

    @Test func `hold the segment and its posts, also when the posts swap ends`() throws {
        let test = try TestStore()
        var segment = banke
        segment.id = UUID()
        var posts = [
            Checkpost(id: UUID(), code: "BNP-A", name: "East", positionIndex: 0),
            Checkpost(id: UUID(), code: "BNP-B", name: "West", positionIndex: 1),
        ]
        try test.store.segments.keep(segment, checkposts: posts, at: minute(0))
        posts[0].positionIndex = 1
        posts[1].positionIndex = 0
        segment.maxSpeedKmh = 50
        segment.distanceCertificate = "NBSM 2081-117"
        segment.typeSpeeds = TypeSpeeds([.truck: 30, .bus: 35.25])
        segment.hourLimits = try #require(HourLimits(typed: "22:00-05:00 30, 23:00-04:00 bus closed"))
        try test.store.segments.keep(segment, checkposts: posts, at: minute(1))
        let told = try #require(try test.store.segments.segment(ofCheckpost: "BNP-A"))
        #expect(told.segment == segment)
        #expect(told.checkposts == posts.reversed())
        #expect(try test.store.segments.segment(ofCheckpost: "BNP-X") == nil)
        #expect(throws: StoreError.self) { try test.store.segments.keep(banke, checkposts: [], at: minute(2)) }
    }

    @Test func `know since when the road's hours are what they are`() throws {
        let test = try TestStore()
        var segment = banke
        segment.id = UUID()
        let posts = [Checkpost(id: UUID(), code: "BNP-A", name: "East", positionIndex: 0)]
        #expect(try test.store.segments.hours(ofCheckpost: "BNP-A") == nil)
        func since() throws -> Instant? { try test.store.segments.hours(ofCheckpost: "BNP-A")?.since }
        try test.store.segments.keep(segment, checkposts: posts, at: minute(0))
        segment.hourLimits = try #require(HourLimits(typed: "23:00-04:00 closed"))
        try test.store.segments.keep(segment, checkposts: posts, at: minute(1))
        #expect(try since() == minute(1))
        segment.maxSpeedKmh = 50
        try test.store.segments.keep(segment, checkposts: posts, at: minute(2))
        #expect(try since() == minute(1), "another number changes nothing")
        segment.hourLimits = try #require(HourLimits(typed: "22:00-05:00 30, 23:00-04:00 closed"))
        try test.store.segments.keep(segment, checkposts: posts, at: minute(3))
        #expect(try since() == minute(1), "nor does a speed by night")
        segment.hourLimits = try #require(HourLimits(typed: "23:00-04:30 closed"))
        try test.store.segments.keep(segment, checkposts: posts, at: minute(4))
        #expect(try since() == minute(4))
        #expect(try test.store.segments.hours(ofCheckpost: "BNP-A")?.limits == segment.hourLimits)
    }

    @Test func `remember the last synchronizations, within a bound`() throws {
        let test = try TestStore()
        let run = SyncRun(startedAt: minute(0), finishedAt: minute(1), pushed: 3, pulled: 2, photos: 1, failure: "503")
        try test.store.runs.record(run)
        #expect(try test.store.runs.list() == [run])
    }
}
