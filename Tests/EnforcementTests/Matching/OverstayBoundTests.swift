import Testing

@testable import Enforcement

/// 45 km at 10 km/h at least: what came in at zero must be out after 270 minutes.
@Suite("An overstay at its bounds", .timeLimit(.minutes(5)))
struct OverstayBoundTests {
    private let watch = OverstayWatch(segment: banke)
    private let zero = Instant(milliseconds: 1_795_255_530_000)
    private let millisecond = TimeSpan.milliseconds(1)
    private var deadline: Instant { zero + .minutes(270) }
    private var entry: OverstayWatch.OpenEntry { open(passage("BA1CHA1234", ms: 0)) }

    private func open(_ passage: MatchablePassage, maybe: Bool = false) -> OverstayWatch.OpenEntry {
        .init(passage: passage, hasPossibleMatch: maybe)
    }

    private func reviews(_ asOf: Instant, _ waiting: (Instant, String)...) -> OtherPost.Reviews {
        .init(asOf: asOf, waiting: waiting.map { WaitingSighting(seenAt: $0.0, plate: Plate(canonical: $0.1)) })
    }

    private func isRaised(_ entry: OverstayWatch.OpenEntry, _ other: OtherPost, _ now: Instant) -> Bool {
        !watch.alerts(entries: [entry], other: other, now: now).isEmpty
    }

    @Test func `is none before its deadline is over here and known there`() {
        let known = OtherPost(knownUpTo: deadline, reviews: nil)
        #expect(!isRaised(entry, known, deadline))
        #expect(isRaised(entry, known, deadline + millisecond))
        #expect(!isRaised(entry, OtherPost(knownUpTo: deadline - millisecond, reviews: nil), deadline + .hours(1)))
        #expect(!isRaised(entry, OtherPost(knownUpTo: nil, reviews: nil), deadline + .hours(1)))
        let untrusted = open(passage("BA1CHA1234", ms: 0, clock: .untrusted))
        #expect(!isRaised(untrusted, known, deadline + .hours(1)))
        #expect(watch.dueBefore(otherPostKnownUpTo: deadline, now: deadline + .hours(1)) == zero + millisecond)
        #expect(watch.dueBefore(otherPostKnownUpTo: deadline + .hours(1), now: deadline) == zero)
    }

    @Test func `waits for the reviews of the other post up to its deadline`() {
        let now = deadline + .hours(1)
        #expect(isRaised(entry, OtherPost(knownUpTo: now, reviews: reviews(deadline)), now))
        #expect(!watch.isUndecided(entry, other: OtherPost(knownUpTo: now, reviews: reviews(deadline)), now: now))
        let early = OtherPost(knownUpTo: now, reviews: reviews(deadline - millisecond))
        #expect(!isRaised(entry, early, now) && watch.isUndecided(entry, other: early, now: now))
        for (known, isUndecided) in [(deadline, true), (deadline - millisecond, false)] {
            let other = OtherPost(knownUpTo: known, reviews: reviews(deadline - millisecond))
            #expect(watch.isUndecided(entry, other: other, now: now) == isUndecided)
        }
        // A post that has said nothing for a day while its passages came has stopped telling.
        let said = deadline - .hours(1)
        let silent = OtherPost(knownUpTo: said + millisecond, reviews: reviews(said))
        let later = said + .hours(24)
        #expect(
            !isRaised(
                open(passage("BA1CHA1234", ms: -3_600_000)),
                OtherPost(knownUpTo: said - millisecond, reviews: reviews(said)), said))
        let older = open(passage("BA1CHA1234", ms: -3_599_999))
        #expect(!isRaised(older, silent, later))
        #expect(isRaised(older, silent, later + millisecond))
        let level = OtherPost(knownUpTo: said, reviews: reviews(said))
        #expect(!isRaised(older, level, later + .hours(5)))
    }

    @Test func `is held for a shift by a vehicle that waits there and may be it`() {
        func other(_ asOf: Instant, seen: Instant) -> OtherPost {
            OtherPost(knownUpTo: asOf, reviews: reviews(asOf, (seen, "BA 1 CHA 12?4")))
        }
        let now = deadline + .hours(13)
        let patient = deadline + OverstayWatch.patience
        #expect(OverstayWatch.patience == .hours(12))
        for (seen, isHeld) in [
            (deadline, true), (deadline + millisecond, false), (zero + millisecond, true), (zero, false),
        ] {
            #expect(isRaised(entry, other(patient, seen: seen), now) == !isHeld)
            #expect(watch.isUndecided(entry, other: other(patient, seen: seen), now: now) == isHeld)
        }
        #expect(isRaised(entry, other(patient + millisecond, seen: deadline), now))
        let undecided = other(patient, seen: deadline)
        #expect(!watch.isUndecided(entry, other: undecided, now: deadline))
        let untrusted = open(passage("BA1CHA1234", ms: 0, clock: .untrusted))
        #expect(!watch.isUndecided(untrusted, other: undecided, now: now))
        #expect(!watch.isUndecided(entry, other: OtherPost(knownUpTo: nil, reviews: nil), now: now))
    }

    @Test func `is doubtful for three reasons at most, in their order`() {
        let plate = Plate(canonical: "BA 1 CHA 1234")
        let moments = [5.0, 1, 4, 2].map { zero + .hours($0) }
        let waiting = moments.map { WaitingSighting(seenAt: $0, plate: plate) }
        let other = OtherPost(knownUpTo: deadline, reviews: .init(asOf: deadline, waiting: waiting))
        let doubts = OverstayWatch.doubts(
            plate, enteredAt: zero, travel: nil, expectedBy: deadline, other: other, now: deadline)
        #expect(doubts == [1, 2, 4].map { .waitsForReview(at: zero + .hours($0)) })
        let unknown = OtherPost(knownUpTo: deadline, reviews: nil)
        #expect(
            OverstayWatch.doubts(
                plate, enteredAt: zero, travel: nil, expectedBy: deadline, other: unknown, now: deadline)
                == [.reviewsUnknown])
        let alert = watch.alerts(
            entries: [open(passage("BA1CHA1234", ms: 0), maybe: true)],
            other: OtherPost(knownUpTo: deadline, reviews: reviews(deadline)), now: deadline + millisecond
        ).first
        #expect(alert?.isDoubtful == true && alert?.expectedExitBy == deadline)
        let sure = watch.alerts(
            entries: [entry], other: OtherPost(knownUpTo: deadline, reviews: reviews(deadline)),
            now: deadline + millisecond
        ).first
        #expect(sure?.isDoubtful == false)
    }

    @Test(arguments: [
        ("BA 1 CHA 1234", true), ("BA1", true), ("8A1CHA1234", true), ("CHA 1234", true), ("", true),
        ("B?1C????34", true),
        ("BA 1 CHA 9876", false), ("BA 1 CHA 9834", true), ("BA 1 PA 9876", false), ("UP 32 AB 9876", false),
        ("UP 32 AB ????", false), ("UP32???", false), ("UP32????", true), ("UP3?", true),
    ])
    func `may be the vehicle of a doubtful reading with up to a third of it wrong`(read: String, mayBe: Bool) {
        let waiting = WaitingSighting(seenAt: zero, plate: Plate(canonical: read))
        #expect(waiting.mayBe(Plate(canonical: "BA 1 CHA 1234")) == mayBe)
    }
}
