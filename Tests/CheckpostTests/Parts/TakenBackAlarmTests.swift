import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A violation that was acted on and doesn't hold any more", .timeLimit(.minutes(2)))
struct TakenBackAlarmTests {
    private let store: Store
    private let folder: TemporaryFolder
    private let start = Instant(milliseconds: 1_795_255_200_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
    }

    private func rounds() -> MatchingRounds {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return MatchingRounds(
            MatchingService(store: store, configuration: .pilot), alarms: AlarmBoard(store: store, log: log), log: log)
    }

    private func said(_ plate: String, at time: Instant, _ id: UUID) -> MatchablePassage {
        MatchablePassage(
            clientID: id, serverID: nil, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-B",
            recordedAt: time, clockState: .synchronised, serverSequence: nil)
    }

    /// A vehicle that came in at the other post and out here far too fast, and what the ranger did.
    ///
    /// - Returns: its passage at the other post.
    private func speeder(_ plate: String, at time: Instant, _ outcome: Outcome.Kind?) throws -> UUID {
        let other = UUID()
        _ = try store.otherPost.takeIn([PostWord(said(plate, at: time, other), isLive: true)], at: time)
        try store.passages.record(
            Passage(
                clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
                checkpostCode: "BNP-A", recordedAt: time + .minutes(2), clockState: .synchronised, confidence: 0.97,
                origin: .camera, photoSHA256: nil),
            at: time + .minutes(2))
        var rounds = rounds()
        while rounds.next(at: time + .minutes(3)) {}
        let violation = try #require(try store.violations.list().first { $0.violation.plate.canonical == plate })
        if let outcome {
            try store.violations.record(
                Outcome(
                    kind: outcome, fineAmount: outcome == .fined ? 1500 : nil, recordedBy: "hari",
                    recordedAt: time + .minutes(4)), ofViolation: violation.id)
        }
        return other
    }

    private func correct(_ other: UUID, to plate: String, at time: Instant) throws {
        _ = try store.otherPost.takeIn([PostWord(said(plate, at: time, other), isLive: true)], at: time + .minutes(9))
    }

    private func alarm(_ rounds: inout MatchingRounds, at time: Instant) throws -> String? {
        _ = rounds.next(at: time)
        return try store.alarms.list().first { $0.key == TakenBackAlarm.alarm }?.message
    }

    @Test func `is told with its plate and what was done, for a week, also after a start`() throws {
        let other = try speeder("BA 1 PA 1234", at: start, .fined)
        var running = rounds()
        #expect(try alarm(&running, at: start + .minutes(5)) == nil)
        try correct(other, to: "BA 7 PA 1111", at: start)
        let told = try #require(try alarm(&running, at: start + .minutes(10)))
        #expect(told.contains("BA 1 PA 1234 was fined 1500 rupees by hari"), "\(told)")
        var next = rounds()
        #expect(try alarm(&next, at: start + .days(6)) == told)
        #expect(try alarm(&next, at: start + .days(8)) == nil)
    }

    @Test func `is counted with the others, the last one named`() throws {
        let first = try speeder("BA 1 PA 1234", at: start, .warned)
        let second = try speeder("BA 2 PA 2222", at: start + .minutes(20), .fined)
        for (other, number) in [(first, 1), (second, 2)] {
            _ = try store.otherPost.takeIn(
                [PostWord(said("", at: start, other), isWithdrawn: true, isLive: true)],
                at: start + .hours(Double(number)))
        }
        var running = rounds()
        let told = try #require(try alarm(&running, at: start + .hours(3)))
        #expect(told.contains("BA 2 PA 2222 was fined") && told.contains("1 other vehicle"), "\(told)")
    }

    @Test(arguments: [nil, Outcome.Kind.letGo, .notFound])
    func `is no news where no driver was troubled`(_ outcome: Outcome.Kind?) throws {
        let other = try speeder("BA 1 PA 1234", at: start, outcome)
        try correct(other, to: "BA 7 PA 1111", at: start)
        var running = rounds()
        #expect(try alarm(&running, at: start + .minutes(10)) == nil)
    }

    @Test func `is over when the vehicle's violation is found again`() throws {
        let other = try speeder("BA 1 PA 1234", at: start, .fined)
        try correct(other, to: "BA 7 PA 1111", at: start)
        var running = rounds()
        #expect(try alarm(&running, at: start + .minutes(10)) != nil)
        try correct(other, to: "BA 1 PA 1234", at: start)
        while running.next(at: start + .minutes(20)) {}
        #expect(try store.violations.list().count == 1)
        #expect(try alarm(&running, at: start + .minutes(22)) == nil)
    }
}
