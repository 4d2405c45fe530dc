import Foundation
import Testing

@testable import Enforcement

/// What holds before anybody has said anything: the values that most callers leave to the types.
@Suite("What begins", .timeLimit(.minutes(10)))
struct BeginningTests {
    private let id = UUID()
    private let now = Instant(milliseconds: 1_795_255_200_000)

    @Test func `waits in the queue untried, unrefused and untold`() {
        let entry = QueueEntry(id: 1, passageClientID: id, createdAt: now)
        #expect(entry.entity == .passage && entry.status == .pending && entry.attempts == 0)
        #expect(!entry.isRefused && !entry.smsSent && !entry.isSetAside && entry.isBatchable && entry.isOnItsWay)
        let waiting = EscalationPolicy.Entry(id: 1, createdAt: now, standing: .pending)
        #expect(waiting.lostAnswers == 0 && waiting.message == nil)
        #expect(!MessageSettlement(state: .sent, lostAnswers: 0).takesBack)
    }

    @Test func `is found here, and nothing more`() {
        let match = MatchStanding(id: 1, own: id, remote: UUID(), isOwnEntry: true)
        #expect(match.certainty == .exact && match.state == .provisional)
        #expect(ViolationStanding(id: id, entry: id, exit: id).state == .provisional)
        let alert = AlertOnRecord(entry: id)
        #expect(!alert.isResolved && !alert.isDismissed && alert.resolvedBy == nil)
        let candidate = JudgedStanding.Candidate(violation: ViolationStanding(id: id, entry: id, exit: id))
        #expect(!candidate.hasOutcome && candidate.outcomeEntries.isEmpty && candidate.withdrawnAt == nil)
        #expect(!RestoredStanding().isKnown && AlertStanding(entry: id, plate: Plate(canonical: "A1")).isUnmatched)
        #expect(!RemoteStanding(passage: passage("BA1CHA1234", ms: 0)).isWithdrawn)
        #expect(OwnStanding(clientID: id, plate: Plate(canonical: "A1")).force == .inForce)
        let outcome = Outcome(kind: .warned, recordedBy: "Sita", recordedAt: now)
        let told = ServerOutcome(violationServerID: id, outcome: outcome)
        #expect(told.isNamed && !told.isOwn)
    }

    @Test func `has no tolerance where none is set`() {
        #expect(banke.toleranceKmh == 0 && banke.tolerancePercent == 0)
        let told = ServerViolation(
            serverID: id, kind: .speeding, entryServerID: id, exitServerID: id, plate: Plate(canonical: "A1"),
            vehicleType: .car,
            entryTime: now, exitTime: now, distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: nil,
            isImplausible: true)
        #expect(told.toleranceKmh == 0 && told.tolerancePercent == 0)
        let violation = Violation(
            id: id, kind: .overstay, entryClientID: id, exitClientID: id, plate: Plate(canonical: "A1"),
            vehicleType: .car,
            entryTime: now, exitTime: now + .hours(5), distanceKm: 45, speedLimitKmh: 10, calculatedSpeedKmh: 9,
            isImplausible: false,
            state: .provisional)
        #expect(violation.toleranceKmh == 0 && violation.tolerancePercent == 0 && violation.thresholdMinutes == 270)
    }

    @Test func `is a vehicle that was seen once and has not moved`() throws {
        let frame = TrackerRun.reference(0)
        let sighting = OpenSighting(number: 1, reading: reading("UP1PA1234"), frame: frame, now: now)
        #expect(
            sighting.frameCount == 1 && sighting.unseenFrames == 0 && sighting.decidedAtCount == 0 && sighting.isVisible
        )
        #expect(!sighting.isBestFrameClaimed && !sighting.formerIsClaimed && !sighting.hasMoved && !sighting.isRepeat)
        #expect(sighting.decision == .none && sighting.unread == nil && OpenSighting.maximumUnseenFrames == 600)
        var fixtures = FixtureMemory()
        fixtures.remember(
            text: "CAFE20", confidence: 0.9, box: sighting.box, stood: .milliseconds(1_799_999), at: now)
        let fixture = try #require(fixtures.fixtures.first)
        #expect(fixture.sightings == 1 && !fixture.stoodLong && !fixture.isCertain)
        fixtures.remember(text: "CAFE20", confidence: 0.9, box: sighting.box, stood: .minutes(30), at: now)
        #expect(fixtures.fixtures.first?.isCertain == true && FixtureMemory.sightingsToIgnore == 4)
    }

    @Test func `is set as the posts are used to`() {
        let settings = SightingTracker.Settings()
        #expect(
            settings.recording.any == 0.8 && settings.recording.devanagari == 0.97 && settings.night == nil
                && settings.readingsToDecide == 3)
        #expect(settings.timeToDecide == .seconds(1.5) && settings.timeToReview == .seconds(5))
        #expect(
            settings.timeToReviewWriting == .seconds(70) && settings.absence == .seconds(20)
                && settings.samePlaceWithin == .seconds(2))
        let gate = StillnessGate.Settings()
        #expect(gate.leastDifference == 6 && gate.greatestDifference == 14 && gate.changedCells == 2)
        #expect(gate.watchFor == .seconds(10) && gate.lookEvery == .seconds(2) && gate.restAtMost == .seconds(30))
        let link = LinkMonitor.Settings()
        #expect(link.onlineFor == .seconds(60) && link.smsAfter == .minutes(5))
        #expect(link.probe == Backoff(firstDelay: .seconds(4), longestDelay: .seconds(30)))
        #expect(SeenElsewhere.most == 2 && SeenElsewhere.span == .hours(24) && RecordedAlready.span == .seconds(30))
        #expect(
            Outcome.changeableFor == .hours(24) && Passage.againWithin == .seconds(1)
                && PassageMatcher.defaultWindow == .hours(24))
        #expect(
            OtherPost.Reviews.most == 200 && PlateVote.maximumReadings == 15
                && SpeedCalculator.implausibleSpeedKmh == 180)
    }

    /// One frame with seventeen readings: the surest sixteen count.
    @Test func `is followed up to sixteen readings a frame`() {
        var run = TrackerRun()
        let readings = (0..<17).map { index in
            reading(
                "UP\(10 + index)AB\(1000 + 37 * index)", index == 0 ? 0.5 : 0.6,
                box: Box(x: index * 400, y: 0, width: 90, height: 30))
        }
        run.take(.frame(TrackerRun.reference(0), readings: readings), 0)
        #expect(run.tracker.state.open.count == 16)
        #expect(!run.tracker.state.open.contains { $0.vote.best?.plate.compact == "UP10AB1000" })
    }

    @Test func `is a plate in parts, the likely alternatives of each first`() {
        func character(_ alternatives: KeyValuePairs<String, Double>) -> CharacterAlternatives {
            CharacterAlternatives(alternatives.map { .init(symbol: $0.key, probability: $0.value) })
        }
        var seen = reading("UP1AB12")
        seen.characters = [
            character(["U": 0.9, "V": 0.05]), character(["P": 0.9, "R": 0.009]), character(["1": 0.9, "7": 0.01]),
            character(["A": 0.5]), character(["8": 0.5, "B": 0.3]), character(["1": 1]), character(["2": 1]),
        ]
        let parts = PlateParts(seen).parts
        #expect(parts.map(\.current) == ["U", "P", "1", "A", "B", "1", "2"])
        #expect(parts[0].alternatives == ["V"] && parts[1].alternatives == ["R"] && parts[2].alternatives.first == "7")
        #expect(parts[4].alternatives.first == "8" && parts.allSatisfy { $0.alternatives.count <= 3 })
        #expect(
            parts[5].alternatives == ["4", "5", "7"].filter { LookAlike.areAlike(Character($0), "1") }
                + ["9"].filter { LookAlike.areAlike(Character($0), "1") })
        #expect(PlateParts.maximumAlternatives == 3)
        // Where the reader's characters don't make up the plate, it is cut into its letters.
        seen.characters.removeLast(2)
        #expect(PlateParts(seen).parts.map(\.current) == ["U", "P", "1", "A", "B", "1", "2"])
        seen.characters = []
        #expect(PlateParts(seen).parts.count == 7)
    }
}
