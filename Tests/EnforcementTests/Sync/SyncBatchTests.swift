import Testing

@testable import Enforcement

@Suite("A sync queue that sends batches", .timeLimit(.minutes(5)))
struct SyncQueueBatchTests {
    var queue: SyncQueue
    let noon = Instant(milliseconds: 1_795_255_200_000)

    init() {
        var settings = SyncQueue.Settings()
        settings.batchSize = 3
        queue = SyncQueue(settings: settings)
    }

    private func entries(_ ids: ClosedRange<Int64>) -> [QueueEntry] { ids.map { queueEntry(id: $0) } }

    /// Offers these and returns the ids of what is sent.
    private mutating func offer(_ entries: [QueueEntry]) -> [Int64] {
        for case .send(let sent) in queue.handle(.offered(entries), at: noon, random: 1) { return sent.map(\.id) }
        return []
    }

    private mutating func answer(_ verdict: Verdict, confirmed: Set<Int64> = []) -> [QueueEntry] {
        queue.handle(.answered(verdict, confirmed: confirmed), at: noon, random: 1).flatMap { action in
            if case .write(let entries) = action { return entries }
            return []
        }
    }

    @Test mutating func `takes the first ones in order`() {
        #expect(offer(entries(1...5)) == [1, 2, 3])
        #expect(answer(.accepted, confirmed: [1, 2, 3]).map(\.status) == [.synced, .synced, .synced])
    }

    @Test mutating func `sends what is no passage alone, and what is behind it later`() {
        var mixed = entries(1...3)
        mixed[1] = queueEntry(id: mixed[1].id, isBatchable: false)
        #expect(offer(mixed) == [1])
        _ = answer(.accepted)
        #expect(offer(Array(mixed.dropFirst())) == [2])
    }

    @Test(arguments: [Verdict.refused("400"), .forbidden("403"), .duplicate, .tooLong("413")])
    mutating func `falls back to one by one when a batch is refused, and costs nobody an attempt`(verdict: Verdict) {
        #expect(offer(entries(1...5)) == [1, 2, 3])
        let back = answer(verdict)
        #expect(back.map(\.status) == [.pending, .pending, .pending])
        #expect(back.map(\.attempts) == [0, 0, 0])
        for id in Int64(1)...3 {
            #expect(offer(entries(id...5)) == [id])
            _ = answer(id == 2 ? .refused("400") : .accepted)
        }
        #expect(offer(entries(4...5)) == [4, 5])
    }

    @Test(arguments: [
        Verdict.accepted, .duplicate, .refused("400"), .unsendable("no post"), .tooLong("413"), .forbidden("403"),
    ])
    mutating func `takes two for a batch, too`(verdict: Verdict) {
        #expect(offer(entries(1...2)) == [1, 2])
        let back = answer(verdict)
        #expect(back.map(\.status) == [.pending, .pending])
        #expect(back.map(\.attempts) == [0, 0])
        #expect(offer(entries(1...2)) == [1])
    }

    @Test mutating func `sends again, one by one, what a batch's answer does not confirm`() {
        _ = offer(entries(1...3))
        let written = answer(.accepted, confirmed: [1, 3])
        #expect(written.filter { $0.status == .pending }.map(\.id) == [2])
        #expect(written.filter { $0.status == .synced }.map(\.id) == [1, 3])
        #expect(offer(entries(2...2)) == [2])
    }

    @Test mutating func `counts an outage as one attempt of one entry`() {
        _ = offer(entries(1...3))
        #expect(answer(.silent("refused")).map(\.attempts) == [1, 0, 0])
    }
}
