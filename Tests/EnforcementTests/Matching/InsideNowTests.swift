import Enforcement
import Foundation
import Testing

@Suite("Who is inside now", .timeLimit(.minutes(5)))
struct InsideNowTests {
    /// 45 km: 67.5 minutes at least, 270 at most.
    private let segment = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
    private let now = Instant(milliseconds: 1_795_240_000_000)

    private func entry(
        _ plate: String, _ post: String = "BNP-A", minutesAgo: Double, clock: ClockState = .synchronised
    ) -> MatchablePassage {
        MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: post,
            recordedAt: now - .minutes(minutesAgo), clockState: clock)
    }

    private func inside(
        own: [MatchablePassage] = [], remote: [MatchablePassage] = [], mayBeOut: Set<UUID> = [],
        dismissed: Set<UUID> = []
    ) -> InsideNow {
        InsideNow(own: own, remote: remote, on: segment, mayBeOut: mayBeOut, dismissed: dismissed, now: now)
    }

    @Test func `is sorted by what happens next`() {
        // Earliest exits in 7.5 and 47.5 minutes, deadlines in 20 and 170.
        let found = inside(
            own: [entry("B AC 1", "BNP-B", minutesAgo: 20), entry("B AC 2", "BNP-B", minutesAgo: 250)],
            remote: [entry("B AC 3", minutesAgo: 60), entry("B AC 4", minutesAgo: 100)])
        #expect(found.expected.map(\.entry.plate.compact) == ["BAC3", "BAC2", "BAC1", "BAC4"])
        #expect(found.expected.map(\.isFromHere) == [false, true, true, false])
        #expect(found.expected[0].earliest == now + .minutes(7.5))
        #expect(found.expected[1].deadline == now + .minutes(20))
        #expect(found.overdue.isEmpty)
    }

    @Test func `has those past their deadline apart, the last one first`() {
        let found = inside(
            own: [entry("B AC 1", "BNP-B", minutesAgo: 400), entry("B AC 2", "BNP-B", minutesAgo: 271)],
            remote: [entry("B AC 3", minutesAgo: 270)])
        #expect(found.expected.map(\.entry.plate.compact) == ["BAC3"], "at its deadline it is in time")
        #expect(found.overdue.map(\.entry.plate.compact) == ["BAC2", "BAC1"])
    }

    @Test func `has a vehicle once, where it was seen last`() {
        let found = inside(
            own: [entry("B AC 1", "BNP-B", minutesAgo: 10)], remote: [entry("B AC1", "BNP-A", minutesAgo: 200)])
        #expect(found.expected.map(\.isFromHere) == [true])
    }

    @Test func `is nobody who is known to have left the road, whatever was seen before`() {
        var left = entry("B AC 1", minutesAgo: 20)
        left.travel = .leaving
        var entered = entry("B AC 2", minutesAgo: 20)
        entered.travel = .entering
        let found = inside(own: [entry("B AC 1", minutesAgo: 60), left, entered])
        #expect(found.expected.map(\.entry.plate.compact) == ["BAC2"])
    }

    @Test func `is not changed by a text that nobody has proven, which only says that one may be out`() throws {
        func text(_ plate: String, minutesAgo: Double, _ clock: ClockState = .untrusted) throws -> MatchablePassage {
            MatchablePassage(
                clientID: try #require(UUID(uuidString: "00000000-0000-5000-8000-0000000000\(Int(minutesAgo) + 10)")),
                plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-B",
                recordedAt: now - .minutes(minutesAgo), clockState: clock)
        }
        let found = inside(
            own: [entry("B AC 1", minutesAgo: 60), entry("B AC 2", minutesAgo: 50)],
            remote: [
                try text("B AC 4", minutesAgo: 10), try text("B AC 1", minutesAgo: 40),
                try text("B AC 2", minutesAgo: 55),
                try text("B AC 3", minutesAgo: 30), entry("B AC 4", "BNP-B", minutesAgo: 20),
                try text("B AC 5", minutesAgo: 5, .synchronised),
            ])
        let told = Dictionary(uniqueKeysWithValues: found.expected.map { ($0.entry.plate.compact, $0) })
        #expect(
            told.mapValues(\.mayBeOut) == ["BAC1": true, "BAC2": false, "BAC3": false, "BAC4": true, "BAC5": false])
        #expect(
            told.mapValues(\.isFromHere) == ["BAC1": true, "BAC2": true, "BAC3": false, "BAC4": false, "BAC5": false])
        #expect(told.mapValues(\.isTimeDoubtful)["BAC3"] == true)
    }

    @Test func `marks what may be out and what has a doubtful time, and leaves out what was dismissed or is to come`() {
        let (alike, doubtful) = (entry("B AC 1", minutesAgo: 20), entry("B AC 2", minutesAgo: 30, clock: .untrusted))
        let (gone, future) = (entry("B AC 3", minutesAgo: 500), entry("B AC 4", minutesAgo: -5))
        let found = inside(
            remote: [alike, doubtful, gone, future], mayBeOut: [alike.clientID], dismissed: [gone.clientID])
        #expect(found.expected.map(\.mayBeOut) == [false, true])
        #expect(found.expected.map(\.isTimeDoubtful) == [true, false])
        #expect(found.overdue.isEmpty)
    }
}
