import Testing

@testable import Enforcement

@Suite("An overstay watch", .timeLimit(.minutes(5)))
struct OverstayWatchTests {
    /// The deadline of an entry at zero, in milliseconds.
    private let deadline: Int64 = 16_200_000
    private let zero = passage("BA1CHA1234", ms: 0).recordedAt

    private func alerts(
        known: Int64?, now: Int64, clock: ClockState = .synchronised, hasPossibleMatch: Bool = false,
        waiting: [(String, ms: Int64)]? = [], asOf: Int64? = nil
    ) -> [OverstayAlert] {
        let reviews = waiting.map { waiting in
            OtherPost.Reviews(
                asOf: zero + .milliseconds(asOf ?? now),
                waiting: waiting.map {
                    WaitingSighting(seenAt: zero + .milliseconds($0.ms), plate: Plate(canonical: $0.0))
                })
        }
        return OverstayWatch(segment: banke).alerts(
            entries: [
                .init(passage: passage("BA1CHA1234", ms: 0, clock: clock), hasPossibleMatch: hasPossibleMatch)
            ],
            other: OtherPost(knownUpTo: known.map { zero + .milliseconds($0) }, reviews: reviews),
            now: zero + .milliseconds(now))
    }

    @Test func `raises an alert when the deadline is past and the other post is known up to it`() throws {
        let alert = try #require(alerts(known: deadline, now: deadline + 1).first)
        #expect(alert.expectedExitBy == alert.entryTime + .milliseconds(deadline))
        #expect(!alert.isDoubtful)
    }

    @Test func `waits until the deadline is past`() {
        #expect(alerts(known: deadline, now: deadline).isEmpty)
    }

    @Test(arguments: [nil, 0, Int64(16_199_999)])
    func `says nothing while the other post's records do not reach the deadline`(known: Int64?) {
        #expect(alerts(known: known, now: 10 * deadline).isEmpty)
    }

    @Test func `doubts an alert for a vehicle that may have come out`() {
        #expect(alerts(known: deadline, now: deadline + 1, hasPossibleMatch: true).map(\.isDoubtful) == [true])
    }

    @Test(arguments: [(ClockState.untrusted, 0), (.simulated, 1), (.synchronised, 1)])
    func `raises none for an entry on an untrusted clock`(clock: ClockState, count: Int) {
        #expect(alerts(known: deadline, now: deadline + 1, clock: clock).count == count)
    }

    @Test(arguments: ["BA 1 CHA 1234", "BA 1 CHA 12?4", "8A 1 CHA 1284", "", "1234", "BA 1"])
    func `waits while a vehicle that may be the one waits for review at the other post`(read: String) {
        #expect(alerts(known: deadline, now: deadline + 1, waiting: [(read, ms: 7_000_000)]).isEmpty)
    }

    @Test(arguments: ["UP 32 AB 9876", "KO 2 PA 777"])
    func `waits for no vehicle that can't be the one`(read: String) {
        let raised = alerts(known: deadline, now: deadline + 1, waiting: [(read, ms: 7_000_000)])
        #expect(raised.map(\.isDoubtful) == [false])
    }

    @Test(
        arguments: [
            (-16_200_000, 1, false), (-16_199_999, 1, true), (0, 1, true), (16_200_001, 1, true),
            (16_200_000, 0, false),
        ] as [(Int64, Int, Bool)])
    func `waits for what passed in between, and doubts what passed later or shortly before`(
        ms: Int64, count: Int, isDoubtful: Bool
    ) {
        let raised = alerts(known: 2 * deadline, now: 2 * deadline, waiting: [("", ms: ms)])
        #expect(raised.map(\.isDoubtful) == Array(repeating: isDoubtful, count: count))
    }

    @Test func `is not kept waiting for ever by a review that nobody does`() {
        let late = deadline + OverstayWatch.patience.milliseconds
        #expect(alerts(known: late, now: late, waiting: [("", ms: 7_000_000)]).isEmpty)
        #expect(alerts(known: late + 1, now: late + 1, waiting: [("", ms: 7_000_000)]).map(\.isDoubtful) == [true])
    }

    @Test func `waits for the word that nothing waits there`() {
        #expect(alerts(known: deadline, now: deadline + 60_000, asOf: deadline - 1).isEmpty)
        #expect(alerts(known: deadline, now: deadline + 60_000, asOf: deadline).count == 1)
    }

    @Test func `doubts every alert when the other post doesn't tell, or has stopped telling`() {
        #expect(alerts(known: deadline, now: deadline + 1, waiting: nil).map(\.isDoubtful) == [true])
        let muchLater = deadline + 24 * 3_600_000
        #expect(alerts(known: muchLater, now: muchLater, asOf: 0).isEmpty == false)
        #expect(alerts(known: muchLater, now: muchLater, asOf: 0).map(\.isDoubtful) == [true])
    }

    @Test func `has those to judge whose longest stay is past, and for which the other post is known so far`() {
        let watch = OverstayWatch(segment: banke)
        func due(known: Int64, now: Int64) -> Instant {
            watch.dueBefore(otherPostKnownUpTo: zero + .milliseconds(known), now: zero + .milliseconds(now))
        }
        #expect(due(known: deadline, now: 2 * deadline) == zero + .milliseconds(1))
        #expect(due(known: 2 * deadline, now: deadline) == zero)
    }

    @Test(arguments: [("UP32????", true), ("UP32A???", false), ("UP3", true), ("UP32", false)])
    func `takes what is read by half or less for any plate`(read: String, mayBe: Bool) {
        let waiting = WaitingSighting(seenAt: zero, plate: Plate(canonical: read))
        #expect(waiting.mayBe(Plate(canonical: "KO 2 PA 777")) == mayBe)
    }

    @Test func `names what it waits for, the first three`() {
        let waiting = [4, 3, 2, 1].map { WaitingSighting(seenAt: zero + .minutes($0), plate: Plate(canonical: "")) }
        let deadline = zero + .hours(5)
        func doubts(knownUpTo known: Instant?) -> [OverstayDoubt] {
            let other = OtherPost(knownUpTo: known, reviews: .init(asOf: zero + .hours(9), waiting: waiting))
            return OverstayWatch.doubts(
                Plate(canonical: "BA 1 CHA 1234"), enteredAt: zero, travel: nil, expectedBy: deadline, other: other,
                now: zero + .hours(9))
        }
        #expect(doubts(knownUpTo: deadline) == [1, 2, 3].map { .waitsForReview(at: zero + .minutes($0)) })
        // The server raised it, and nobody knows what the other post saw until then.
        #expect(doubts(knownUpTo: deadline - .milliseconds(1)) == [.reviewsUnknown])
        #expect(doubts(knownUpTo: nil) == [.reviewsUnknown])
    }
}
