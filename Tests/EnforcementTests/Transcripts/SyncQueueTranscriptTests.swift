import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("A sync queue through a bad day", .timeLimit(.minutes(10)))
struct SyncQueueTranscriptTests {
    /// A queue with a disk that performs what it says.
    private struct Post {
        var queue: SyncQueue
        var disk: [Int64: QueueEntry] = [:]
        var random: SeededGenerator
        var now: Instant
        var script: Transcript
        /// Moments that the queue has named.
        var named: [Instant] = []

        init(seed: UInt64, settings: SyncQueue.Settings) {
            queue = SyncQueue(settings: settings)
            random = SeededGenerator(seed: seed)
            script = Transcript()
            now = script.start
        }

        mutating func run(_ steps: Int) {
            for _ in 0..<steps {
                goOn()
                if random.hundredths(40) || disk.isEmpty { record() }
                step(event())
            }
        }

        private mutating func goOn() {
            if random.hundredths(40), let moment = named.last(where: { $0 > now }) {
                now = moment + .milliseconds([-1, 0, 0, 1][random.below(4)])
            } else {
                now = now + .seconds(random.one(of: [0, 0.5, 1, 3, 15, 30, 60, 300, 900, 3600, -1800]))
            }
        }

        private mutating func record() {
            let id = Int64(disk.count + 1)
            let entity = random.one(of: [QueueEntry.Entity.passage, .passage, .passage, .correction])
            disk[id] = QueueEntry(
                id: id, entity: entity, passageClientID: UUID(), attempts: random.one(of: [0, 0, 0, 4]), createdAt: now)
        }

        private mutating func event() -> SyncQueue.Event {
            switch random.below(20) {
            case 0: return .began
            case 1: return .answeredWell
            case 2: return .askedByHand
            case 3: return random.one(of: [.signedIn, .signInRefused("no such account"), .signInFailed("no answer")])
            case 4: return .accountChecked(problem: random.one(of: [nil, "the account is closed"]))
            case 5...10 where queue.inFlight.isEmpty:
                return .offered(disk.values.filter { $0.status == .pending }.sorted { $0.id < $1.id })
            default:
                let confirmed = Set(queue.inFlight.map(\.id).filter { _ in random.hundredths(60) })
                return queue.inFlight.isEmpty
                    ? .offered(disk.values.filter { $0.status == .pending }.sorted { $0.id < $1.id })
                    : .answered(verdict(), confirmed: confirmed)
            }
        }

        private mutating func verdict() -> Verdict {
            let late = TimeSpan.seconds(random.one(of: [5, 90, 900, 901]))
            return random.one(of: [
                .accepted, .accepted, .accepted, .duplicate, .refused("no such post"), .refused("no such post"),
                .unsendable("no id"), .tooLong("413"), .unauthorised, .unauthorised, .forbidden("403"),
                .unwell("502", retryAfter: nil), .unwell("503", retryAfter: late), .silent("no route"),
            ])
        }

        private mutating func step(_ event: SyncQueue.Event) {
            let actions = queue.handle(event, at: now, random: random.share())
            for action in actions { perform(action) }
            let pause = queue.pausedUntil.map { " paused until \(script.time($0))" } ?? ""
            let shown = actions.map(text).joined(separator: "; ")
            script.add("\(script.time(now)) \(text(event)): \(shown)\(pause)\(queue.isPaused(at: now) ? " now" : "")")
        }

        private mutating func perform(_ action: SyncQueue.Action) {
            switch action {
            case .write(let entries):
                for entry in entries { disk[entry.id] = entry }
                named += entries.compactMap(\.nextAttemptAt)
            case .recover:
                for entry in disk.values where entry.status == .inFlight { disk[entry.id]?.status = .pending }
            case .revive(let resting):
                for entry in disk.values where entry.status == .failed && !entry.isRefused {
                    if !resting.contains(entry.id) { disk[entry.id] = entry.inLineAgain() }
                }
            case .wait(let until): named.append(until)
            default: break
            }
            if let until = queue.pausedUntil { named.append(until) }
        }

        private func text(_ event: SyncQueue.Event) -> String {
            switch event {
            case .offered(let entries): "offered \(entries.prefix(4).map { "\($0.id)" }.joined(separator: " "))"
            case .answered(let verdict, let confirmed):
                "\(verdict)".prefix { $0 != "(" } + " \(confirmed.sorted())"
            default: "\(event)"
            }
        }

        private func text(_ action: SyncQueue.Action) -> String {
            switch action {
            case .write(let entries): "write " + entries.map(text).joined(separator: ", ")
            case .send(let entries): "send \(entries.map { "\($0.id)" }.joined(separator: " "))"
            case .revive(let resting): "revive all but \(resting.sorted())"
            case .wait(let until): "wait until \(script.time(until))"
            default: "\(action)"
            }
        }

        private func text(_ entry: QueueEntry) -> String {
            let next = entry.nextAttemptAt.map { " next \(script.time($0))" } ?? ""
            let error = entry.lastError.map { " “\($0)”" } ?? ""
            let tried = entry.lastAttemptAt.map { " tried \(script.time($0))" } ?? ""
            return "\(entry.id) \(entry.status.rawValue) \(entry.attempts)\(tried)\(next)\(error)"
                + (entry.isRefused ? " refused" : "")
        }
    }

    @Test(arguments: [(1, "sync-one-by-one"), (4, "sync-in-batches")])
    func `does what its transcript says`(batchSize: Int, name: String) throws {
        var settings = SyncQueue.Settings()
        settings.batchSize = batchSize
        settings.refusalsInARow = 3
        var post = Post(seed: UInt64(batchSize), settings: settings)
        post.run(700)
        try post.script.check(name)
    }

    @Test func `is set as the posts are used to`() {
        let settings = SyncQueue.Settings()
        #expect(settings.maximumAttempts == 5 && settings.batchSize == 1 && settings.refusalsInARow == 10)
        #expect(settings.backoff == Backoff(firstDelay: .seconds(2), longestDelay: .seconds(60)))
        #expect(settings.firstAccountPause == .seconds(15) && settings.accountPause == .minutes(5))
        #expect(settings.firstRevival == .minutes(5) && Verdict.longestRetryAfter == .minutes(15))
    }

    @Test(arguments: [(0, 1000), (1, 1000), (2, 2000), (5, 16_000), (6, 30_000), (60, 30_000), (Int.max, 30_000)])
    func `waits twice as long after each failure, half of it by chance`(attempt: Int, longest: Int) {
        let backoff = Backoff()
        #expect(backoff.delay(attempt: attempt, random: 1) == .milliseconds(Int64(longest)))
        #expect(backoff.delay(attempt: attempt, random: 0) == .milliseconds(Int64(longest / 2)))
        #expect(backoff.delay(attempt: attempt, random: 0.5) == .milliseconds(Int64(longest * 3 / 4)))
        #expect(backoff.delay(attempt: attempt, random: 7) == .milliseconds(Int64(longest)))
        #expect(backoff.delay(attempt: attempt, random: -7) == .milliseconds(Int64(longest / 2)))
    }

    @Test func `rests longer each time, up to an hour, and remembers two hundred`() {
        var revivals = Revivals()
        let start = Instant(milliseconds: 0)
        #expect(revivals.due(at: start) == [])
        #expect(revivals.due(at: start) == nil)
        var now = start
        for (failures, rest) in [0.0, 5, 10, 20, 40, 60, 60].enumerated() {
            revivals.noteFailure(of: 1, firstRest: .minutes(5), at: now)
            if rest > 0 { #expect(revivals.due(at: now + .minutes(rest) - .milliseconds(1)) == nil, "\(failures)") }
            now = now + .minutes(rest)
            #expect(revivals.due(at: now) == [], "\(failures)")
        }
        var many = Revivals()
        for id in 1...201 { many.noteFailure(of: Int64(id), firstRest: .minutes(5), at: start) }
        for id in 1...201 { many.noteFailure(of: Int64(id), firstRest: .minutes(5), at: start) }
        #expect(many.due(at: start) == nil)
        many.forget(1)
        many.noteFailure(of: 201, firstRest: .minutes(5), at: start)
        #expect(many.due(at: start) == Set(2...200))
    }
}
