import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("The rounds of matching", .timeLimit(.minutes(2)))
struct MatchingRoundsTests {
    private let folder: TemporaryFolder
    private let now = Instant(milliseconds: 1_795_255_200_000)

    init() throws { folder = try TemporaryFolder() }

    private func rename(_ old: String, _ new: String) throws {
        let script = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1], timeout=30).execute('alter table %s rename to %s' % tuple(sys.argv[2:]))
            """
        let done = try OtherProgram.runAndWait(
            "/usr/bin/env", ["python3", "-c", script, folder["checkpost.sqlite"].path, old, new], limitSeconds: 60)
        try #require(done.status == 0, "\(done.output)")
    }

    @Test func `write into the log what vehicles are judged by, once and whenever it is another`() throws {
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let lines = LoggedText()
        let log = Logger(label: "test") { _ in LoggedText.Handler(text: lines) }
        var rounds = MatchingRounds(
            MatchingService(store: store, configuration: .pilot), alarms: AlarmBoard(store: store, log: log), log: log)
        func told() -> [Substring] { lines.lines(with: "what vehicles are judged by") }
        for _ in 0..<3 { _ = rounds.next(at: now) }
        #expect(
            told().count == 1 && told()[0].contains("from=file") && told()[0].contains("at most 40 km/h"), "\(told())")
        var road = Configuration.pilot.segment
        (road.id, road.typeSpeeds) = (UUID(), TypeSpeeds([.truck: 30]))
        let posts = [("BNP-A", 0), ("BNP-B", 1)].map {
            Checkpost(id: UUID(), code: $0.0, name: $0.0, positionIndex: $0.1)
        }
        try store.segments.keep(road, checkposts: posts, at: now)
        for _ in 0..<3 { _ = rounds.next(at: now) }
        #expect(
            told().count == 2 && told()[1].contains("from=server") && told()[1].contains("truck 30 km/h"), "\(told())")
    }

    @Test func `raise an alarm when they fail again and again, and take it back with the first that does not`() throws {
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let board = AlarmBoard(store: store, log: log)
        var rounds = MatchingRounds(
            MatchingService(store: store, configuration: .pilot), alarms: board, log: log)
        func alarms() throws -> [String] { try store.alarms.list().map(\.key) }
        _ = rounds.next(at: now)
        try rename("match_work", "away")
        for _ in 1..<MatchingRounds.toldAfter {
            let hasMore = rounds.next(at: now)
            #expect(!hasMore)
            #expect(try !alarms().contains(MatchingRounds.alarm))
        }
        for _ in 0..<3 { _ = rounds.next(at: now) }
        #expect(try alarms().contains(MatchingRounds.alarm))
        // The next run begins with what this one left.
        rounds = MatchingRounds(MatchingService(store: store, configuration: .pilot), alarms: board, log: log)
        try rename("away", "match_work")
        _ = rounds.next(at: now)
        #expect(try !alarms().contains(MatchingRounds.alarm))
    }
}
