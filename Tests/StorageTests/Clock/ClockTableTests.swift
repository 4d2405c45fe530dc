import Enforcement
import Foundation
import Storage
import Testing

@Suite("Times that are put right", .timeLimit(.minutes(5)))
struct ClockTableTests {
    private let test: TestStore
    private let clock: ClockTable

    /// The box began this run in 1970 by its own clock, ten minutes before minute 0 of the sample day.
    private let wrong = BootClock(boot: "run 1", startedAt: Instant(milliseconds: 5_000))
    private let truth = BootClock(boot: "run 1", startedAt: minute(-10))

    init() throws {
        test = try TestStore()
        clock = test.store.clock
    }

    /// Recorded so many minutes after the box was started, by the wrong clock.
    @discardableResult
    private func record(_ plate: String, at minutes: Double, by clock: BootClock?) throws -> UUID {
        var passage = samplePassage(plate, clockState: .untrusted)
        passage.recordedAt = wrong.startedAt + .minutes(minutes)
        passage.stampedBy = clock
        try test.store.passages.record(passage, at: passage.recordedAt)
        return passage.clientID
    }

    private func stored(_ id: UUID) throws -> StoredPassage {
        try #require(try test.store.passages.passage(clientID: id))
    }

    private func passage(_ id: UUID) throws -> Passage { try stored(id).passage }

    @Test func `waits to be sent until its time is known, and then goes with the right one`() throws {
        let id = try record("BA 1 PA 1", at: 10, by: wrong)
        let other = try record("BA 1 PA 2", at: 11, by: nil)
        #expect(try test.store.queue.waiting(limit: 9).map(\.passageClientID) == [other])
        let entry = try #require(try test.store.queue.entries(status: .pending).first { $0.passageClientID == id })
        #expect(try test.store.queue.obstacle(of: entry) == .time)
        #expect(try clock.putRight(at: minute(1)) == 0)

        try clock.know(truth, by: .service, at: minute(1))
        #expect(try clock.hasUnsettled())
        #expect(try clock.putRight(at: minute(1)) == 1)
        #expect(try !clock.hasUnsettled())
        let right = try passage(id)
        #expect(right.recordedAt == minute(0))
        #expect(right.clockState == .synchronised)
        #expect(right.stampedBy == nil)
        #expect(try test.store.queue.waiting(limit: 9).map(\.passageClientID).contains(id))
        let former = try #require(try clock.formerTime(ofPassage: id))
        #expect(former.recordedAt == wrong.startedAt + .minutes(10))
        #expect(former.moved == minute(0) - former.recordedAt)
        #expect(former.knownBy == .service)
        // One whose time nobody can put right keeps it.
        #expect(try passage(other).clockState == .untrusted)
        #expect(try clock.formerTime(ofPassage: other) == nil)
    }

    @Test func `keeps the place in the queue in which it was recorded, and waits as long as it did`() throws {
        try test.store.passages.record(samplePassage("BA 1 PA 1", at: -1), at: minute(-1))
        _ = try record("BA 1 PA 2", at: 10, by: wrong)
        #expect(try test.store.queue.entries().map(\.id) == [1, 2])
        #expect(try test.store.queue.oldestWaiting() == minute(-1), "1970 doesn't say how long it waits")
        try clock.know(truth, by: .service, at: minute(1))
        _ = try clock.putRight(at: minute(1))
        #expect(try test.store.queue.waiting(limit: 9).map(\.id) == [1, 2])
        #expect(try test.store.queue.entries().map(\.createdAt) == [minute(-1), minute(0)])
    }

    @Test func `is matched anew`() throws {
        let id = try record("BA 1 PA 1", at: 10, by: wrong)
        let work = try test.store.matches.work(limit: 9)
        try test.store.matches.finish(work)
        try clock.know(truth, by: .server, at: minute(1))
        _ = try clock.putRight(at: minute(1))
        #expect(try test.store.matches.work(limit: 9).map(\.clientID) == [id])
    }

    @Test func `takes back a match that its wrong time gave`() throws {
        let id = try record("BA 1 PA 1", at: 10, by: wrong)
        let remote = sampleRemote("BA 1 PA 1", at: 30)
        try test.store.otherPost.upsert([remote], at: minute(31))
        let own = try #require(try test.store.matches.unmatched(.own, clientID: id))
        let match = Match(own, remote, certainty: .exact)
        #expect(try test.store.matches.save(match, violation: nil, at: minute(31)))
        #expect(try stored(id).isMatched)
        try clock.know(truth, by: .service, at: minute(32))
        _ = try clock.putRight(at: minute(32))
        #expect(try !stored(id).isMatched)
    }

    @Test func `is put right in small steps, only for the run whose start is known`() throws {
        for number in 1...5 { try record("BA 1 PA \(number)", at: Double(number), by: wrong) }
        let before = try record("BA 1 PA 9", at: 1, by: BootClock(boot: "run 0", startedAt: wrong.startedAt))
        try clock.know(truth, by: .service, at: minute(1))
        #expect(try (0..<4).map { _ in try clock.putRight(limit: 2, at: minute(1)) } == [2, 2, 1, 0])
        #expect(try passage(before).stampedBy?.boot == "run 0")
        #expect(try clock.giveUp(except: "run 1") == 1)
        #expect(try passage(before).stampedBy == nil)
        #expect(try passage(before).clockState == .untrusted)
        #expect(try test.store.queue.waiting(limit: 9).count == 6)
    }

    @Test func `is given up for no run that is still on, and for none whose start is known`() throws {
        try record("BA 1 PA 1", at: 1, by: wrong)
        #expect(try clock.giveUp(except: "run 1") == 0)
        try clock.know(truth, by: .server, at: minute(1))
        #expect(try clock.giveUp(except: nil) == 0)
        #expect(try clock.putRight(at: minute(1)) == 1)
    }

    @Test func `moves a sighting that waits for a ranger, and the passage that he makes of it`() throws {
        var sighting = sampleSighting()
        let seen = wrong.startedAt + .minutes(10)
        sighting.firstSeenAt = seen
        sighting.lastSeenAt = seen + .seconds(4)
        sighting.bestFrame.recordedAt = seen + .seconds(2)
        sighting.bestFrame.clockState = .untrusted
        sighting.bestFrame.stampedBy = wrong
        var commit = FrameCommit(camera: "gate", at: seen)
        commit.reviews = [sighting]
        try test.store.frames.commit(commit)
        try clock.know(truth, by: .service, at: minute(1))
        _ = try clock.putRight(at: minute(1))
        let moved = try #require(try test.store.sightings.sighting(id: sighting.id)).sighting
        #expect(moved.firstSeenAt == minute(0))
        #expect(moved.lastSeenAt == minute(0) + .seconds(4))
        #expect(moved.bestFrame.recordedAt == minute(0) + .seconds(2))
        #expect(moved.bestFrame.clockState == .synchronised)
        #expect(moved.bestFrame.stampedBy == nil)
        #expect(try !clock.hasUnsettled())
    }

    @Test func `goes by the time service rather than by the server`() throws {
        let id = try record("BA 1 PA 1", at: 10, by: wrong)
        try clock.know(truth, by: .service, at: minute(1))
        try clock.know(BootClock(boot: "run 1", startedAt: minute(-9)), by: .server, at: minute(2))
        _ = try clock.putRight(at: minute(2))
        #expect(try passage(id).recordedAt == minute(0))
    }

    @Test func `remembers what the server said in each run, and what it learned of a camera`() throws {
        let told = HostClock.ServerTime(start: truth, askedAt: Instant(milliseconds: 60_000))
        try clock.told(told, at: minute(1))
        #expect(try clock.serverTime(inRun: "run 1") == told)
        #expect(try clock.serverTime(inRun: "run 2") == nil)
        #expect(try clock.ahead(ofCamera: "gate") == .seconds(0))
        try clock.set(ahead: .seconds(-360), ofCamera: "gate", at: minute(1))
        #expect(try clock.ahead(ofCamera: "gate") == .seconds(-360))
    }

    @Test func `keeps the last thousand steps of the clock`() throws {
        for number in 1...1001 {
            try clock.note(ClockStep(at: minute(0), moved: .seconds(Double(number)), wasBelieved: number % 2 == 0))
        }
        let steps = try clock.steps(limit: 2000)
        #expect(steps.count == 1000)
        #expect(steps.first == ClockStep(at: minute(0), moved: .seconds(1001), wasBelieved: false))
        #expect(steps.last?.moved == .seconds(2))
    }
}
