import Testing

@testable import Enforcement

@Suite("A sync queue", .timeLimit(.minutes(5)))
struct SyncQueueTests {
    var queue = SyncQueue()
    let noon = Instant(milliseconds: 1_795_255_200_000)

    private func at(_ seconds: Double) -> Instant { noon + .seconds(seconds) }

    private func entry(_ id: Int64, attempts: Int = 0, isBatchable: Bool = true) -> QueueEntry {
        queueEntry(id: id, attempts: attempts, isBatchable: isBatchable)
    }

    /// As it is sent: from then on the server may have it.
    private func flying(_ id: Int64, seconds: Double = 0) -> QueueEntry {
        queueEntry(id: id, status: .inFlight, lastAttemptAt: at(seconds))
    }

    private func synced(_ id: Int64, at moment: Instant) -> QueueEntry {
        queueEntry(id: id, status: .synced, lastAttemptAt: moment)
    }

    @discardableResult
    private mutating func offer(_ entries: [QueueEntry], seconds: Double = 0) -> [SyncQueue.Action] {
        queue.handle(.offered(entries), at: at(seconds), random: 1)
    }

    @discardableResult
    private mutating func answer(
        _ verdict: Verdict, confirmed: Set<Int64> = [], seconds: Double = 0
    ) -> [SyncQueue.Action] {
        queue.handle(.answered(verdict, confirmed: confirmed), at: at(seconds), random: 1)
    }

    /// The entries that the actions write.
    private func written(_ actions: [SyncQueue.Action]) -> [QueueEntry] {
        actions.flatMap { action in
            if case .write(let entries) = action { return entries }
            return []
        }
    }

    @Test mutating func `sends the first entry alone, marked on the disk before`() {
        #expect(offer([entry(1), entry(2)]) == [.write([flying(1)]), .send([flying(1)])])
    }

    @Test mutating func `does nothing when nothing waits`() {
        #expect(offer([]) == [])
    }

    @Test(arguments: [Verdict.accepted, .duplicate])
    mutating func `counts what the server has as synced`(verdict: Verdict) {
        offer([entry(1)])
        #expect(written(answer(verdict, seconds: 1)) == [synced(1, at: at(1))])
    }

    @Test mutating func `puts an entry back after a bad answer, with an attempt and a backoff`() {
        offer([entry(1)])
        let actions = answer(.unwell("status 500", retryAfter: nil))
        let waiting = queueEntry(
            id: 1, attempts: 1, lastAttemptAt: noon, nextAttemptAt: at(2), lastError: "status 500")
        #expect(actions == [.write([waiting]), .next])
        #expect(offer([waiting, entry(2)], seconds: 1) == [.wait(until: at(2))])
        #expect(
            offer([waiting, entry(2)], seconds: 2).last
                == .send([
                    queueEntry(id: 1, status: .inFlight, attempts: 1, lastAttemptAt: at(2), lastError: "status 500")
                ]))
    }

    @Test mutating func `waits longer after every bad answer`() {
        let delays = (0..<4).map { attempts in
            offer([entry(1, attempts: attempts)])
            let waiting = written(answer(.unwell("", retryAfter: nil)))[0]
            return waiting.nextAttemptAt.map { ($0 - noon).seconds }
        }
        #expect(delays == [2, 4, 8, 16])
    }

    @Test mutating func `leaves the server alone as long as it asks`() {
        offer([entry(1)])
        let waiting = written(answer(.unwell("status 503", retryAfter: .seconds(120))))[0]
        #expect(waiting.nextAttemptAt == at(120))
        #expect(offer([entry(2)], seconds: 119) == [.wait(until: at(120))])
        #expect(offer([entry(2)], seconds: 120).last == .send([flying(2, seconds: 120)]))
    }

    @Test mutating func `gives up after five bad answers`() {
        offer([entry(1, attempts: 4)])
        let actions = answer(.unwell("status 500", retryAfter: nil))
        #expect(
            written(actions) == [
                queueEntry(id: 1, status: .failed, attempts: 5, lastAttemptAt: noon, lastError: "status 500")
            ])
        #expect(actions.last == .next)
    }

    @Test mutating func `ends the cycle when nothing answers, after one attempt`() {
        offer([entry(1), entry(2)])
        let actions = answer(.silent("no route"))
        #expect(written(actions).map(\.attempts) == [1])
        #expect(written(actions).map(\.status) == [.pending])
        #expect(actions.last == .endCycle("no route"))
        #expect(!actions.contains(.next))
    }

    @Test mutating func `gives up after five times without an answer`() {
        offer([entry(1, attempts: 4)])
        #expect(written(answer(.silent("timed out"))).map(\.status) == [.failed])
    }

    @Test mutating func `revives what failed when the server answers well again`() {
        #expect(queue.handle(.answeredWell, at: noon, random: 1) == [.revive(except: [])])
        #expect(queue.handle(.answeredWell, at: noon, random: 1) == [])
        // Whether it came back nobody knows when something failed on the way.
        _ = queue.handle(.began, at: noon, random: 1)
        #expect(queue.handle(.answeredWell, at: noon, random: 1) == [.revive(except: [])])
        offer([entry(1, attempts: 4)])
        answer(.unwell("status 500", retryAfter: nil))
        offer([entry(2)], seconds: 10)
        #expect(answer(.accepted, seconds: 10).contains(.revive(except: [])))
    }

    @Test mutating func `lets what fails again rest, so that it doesn't hold up the others`() {
        offer([entry(1, attempts: 4)])
        answer(.unwell("status 500", retryAfter: nil))
        _ = queue.handle(.answeredWell, at: noon, random: 1)
        offer([entry(1, attempts: 4)])
        answer(.unwell("status 500", retryAfter: nil))
        #expect(queue.handle(.answeredWell, at: at(299), random: 1) == [])
        #expect(queue.handle(.answeredWell, at: at(300), random: 1) == [.revive(except: [])])
    }

    @Test mutating func `sets a refused record aside and goes on`() {
        offer([entry(1), entry(2)])
        let actions = answer(.refused("413: too long"))
        #expect(
            actions == [
                .write([
                    queueEntry(
                        id: 1, status: .failed, lastAttemptAt: noon, lastError: "413: too long", isRefused: true)
                ]), .next,
            ])
        #expect(offer([entry(2)]).last == .send([flying(2)]))
    }

    @Test mutating func `signs in again after a 401 and counts no attempt`() {
        offer([entry(1)])
        #expect(answer(.unauthorised) == [.write([queueEntry(id: 1, lastAttemptAt: noon)]), .signIn])
        #expect(queue.handle(.signedIn, at: noon, random: 1) == [.next])
    }

    @Test mutating func `pauses with an alarm when the sign-in is refused, until the pause is over`() throws {
        offer([entry(1)])
        answer(.unauthorised)
        let actions = queue.handle(.signInRefused("wrong password"), at: noon, random: 1)
        let reason = try #require(queue.pauseReason)
        #expect(reason.hasPrefix("wrong password") && reason.contains("tries again by itself"))
        #expect(actions == [.raiseAlarm(reason), .endCycle(reason)])
        #expect(offer([entry(1)], seconds: 1) == [.wait(until: at(15))])
        #expect(offer([entry(1)], seconds: 15).last == .send([flying(1, seconds: 15)]))
        #expect(answer(.accepted, seconds: 16).contains(.clearAlarm))
    }

    @Test mutating func `pauses longer each time that the account is refused, up to five minutes`() {
        var now = 0.0
        let pauses = (0..<7).map { _ in
            _ = queue.handle(.signInRefused("no"), at: at(now), random: 1)
            guard case .wait(let until) = offer([entry(1)], seconds: now).first else { return -1.0 }
            defer { now = (until - noon).seconds }
            return (until - at(now)).seconds
        }
        #expect(pauses == [15, 30, 60, 120, 240, 300, 300])
        _ = queue.handle(.signedIn, at: at(now), random: 1)
        _ = queue.handle(.signInRefused("no"), at: at(now), random: 1)
        #expect(offer([entry(1)], seconds: now) == [.wait(until: at(now + 15))])
    }

    @Test mutating func `takes ten refusals in a row for a server that is not well, and rests`() {
        for id in Int64(1)...9 {
            offer([entry(id)])
            #expect(written(answer(.refused("400"))).map(\.isRefused) == [true])
        }
        offer([entry(10)])
        let actions = answer(.refused("400"))
        #expect(written(actions).map(\.isRefused) == [false])
        #expect(actions.last == .wait(until: at(15)))
        #expect(queue.pauseReason?.contains("tries again by itself") == true)
        #expect(offer([entry(11)], seconds: 14) == [.wait(until: at(15))])
        offer([entry(11)], seconds: 15)
        #expect(answer(.refused("400"), seconds: 15).last == .wait(until: at(45)))
        // The first good answer brings those back that stepped aside.
        offer([entry(12)], seconds: 45)
        #expect(answer(.accepted, seconds: 45).contains(.revive(except: [])))
        offer([entry(10)], seconds: 46)
        #expect(written(answer(.refused("400"), seconds: 46)).map(\.isRefused) == [true])
    }

    @Test mutating func `gives no record up that is too long for something on the way`() {
        offer([entry(1)])
        let waiting = written(answer(.tooLong("413")))[0]
        #expect(waiting.status == .pending && !waiting.isRefused && waiting.attempts == 1)
    }

    @Test mutating func `goes on at once when a person asks`() {
        offer([entry(1)])
        answer(.unauthorised)
        _ = queue.handle(.signInRefused("wrong password"), at: noon, random: 1)
        #expect(queue.handle(.askedByHand, at: at(1), random: 1) == [])
        #expect(offer([entry(1)], seconds: 1).last == .send([flying(1, seconds: 1)]))
    }

    @Test mutating func `stops signing in when fresh tokens are refused as well`() {
        for _ in 0..<2 {
            offer([entry(1)])
            #expect(answer(.unauthorised).last == .signIn)
        }
        offer([entry(1)])
        let actions = answer(.unauthorised)
        #expect(written(actions) == [queueEntry(id: 1, lastAttemptAt: noon)])
        #expect(!actions.contains(.signIn))
        #expect(queue.pauseReason != nil)
    }

    @Test mutating func `asks what a 403 means, and refuses the record when the account is fine`() {
        offer([entry(1)])
        #expect(answer(.forbidden("403: row-level security")) == [.checkAccount])
        let actions = queue.handle(.accountChecked(problem: nil), at: noon, random: 1)
        #expect(written(actions).map(\.isRefused) == [true])
        #expect(written(actions).map(\.lastError) == ["403: row-level security"])
        #expect(actions.last == .next)
    }

    @Test mutating func `pauses with an alarm when a 403 means the account, and loses no record by it`() {
        offer([entry(1)])
        answer(.forbidden("403"))
        let actions = queue.handle(.accountChecked(problem: "the account is not active"), at: noon, random: 1)
        #expect(written(actions).map(\.status) == [.pending])
        #expect(written(actions).map(\.attempts) == [0])
        #expect(queue.pauseReason?.hasPrefix("the account is not active") == true)
        #expect(actions.contains(.raiseAlarm(queue.pauseReason ?? "")))
        #expect(offer([entry(1)], seconds: 1) == [.wait(until: at(15))])
    }

    @Test mutating func `is not held up by a time that a wrong clock set`() {
        var waiting = entry(1)
        waiting.nextAttemptAt = at(3600)
        #expect(offer([waiting]).last == .send([flying(1)]))
    }
}
