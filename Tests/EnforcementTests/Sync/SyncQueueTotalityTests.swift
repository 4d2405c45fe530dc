import TestKit
import Testing

@testable import Enforcement

@Suite("A sync queue that is told of what can't be", .timeLimit(.minutes(5)))
struct SyncQueueTotalityTests {
    private let noon = Instant(milliseconds: 1_795_255_200_000)

    @Test func `puts what is under way back in line when more is offered`() {
        var queue = SyncQueue()
        let entries = [queueEntry(id: 1), queueEntry(id: 2)]
        _ = queue.handle(.offered(entries), at: noon, random: 0)
        #expect(queue.inFlight.map(\.id) == [1])
        #expect(queue.handle(.offered(entries), at: noon, random: 0) == [.recover, .next])
        #expect(queue.inFlight.isEmpty)
        #expect(queue.handle(.answered(.accepted), at: noon, random: 0).isEmpty)
        #expect(queue.handle(.began, at: noon, random: 0) == [.recover])
    }

    @Test func `sets a record aside that the box can't send, and takes it for no word of the server's`() {
        var queue = SyncQueue()
        for id in Int64(1)...50 {
            _ = queue.handle(.offered([queueEntry(id: id)]), at: noon, random: 0)
            let aside = queueEntry(
                id: id, status: .failed, lastAttemptAt: noon, lastError: "no such post", isRefused: true)
            #expect(
                queue.handle(.answered(.unsendable("no such post")), at: noon, random: 0) == [.write([aside]), .next])
        }
        #expect(queue.pauseReason == nil)
    }

    /// Any event in any state, ten thousand of them.
    @Test func `takes every event in every state`() {
        var random = SeededGenerator(seed: 42)
        var queue = SyncQueue()
        queue.settings.batchSize = 3
        let verdicts: [Verdict] = [
            .accepted, .duplicate, .refused("r"), .tooLong("t"), .unsendable("u"), .unauthorised, .forbidden("f"),
            .unwell("w", retryAfter: .seconds(3)), .silent("s"),
        ]
        var taken = 0
        for step in 0..<10_000 {
            let entries = (0..<Int64.random(in: 0...4, using: &random)).map {
                queueEntry(
                    id: $0, attempts: [0, 4, Int.max].randomElement(using: &random) ?? 0,
                    isBatchable: Bool.random(using: &random))
            }
            let events: [SyncQueue.Event] = [
                .began, .offered(entries),
                .answered(verdicts.randomElement(using: &random) ?? .accepted, confirmed: [1]),
                .accountChecked(problem: nil), .accountChecked(problem: "p"), .signedIn, .signInRefused("x"),
                .signInFailed("y"), .answeredWell, .askedByHand,
            ]
            guard let event = events.randomElement(using: &random) else { continue }
            _ = queue.handle(event, at: noon + .seconds(Double(step)), random: 0.5)
            taken += 1
        }
        #expect(taken == 10_000)
    }
}
