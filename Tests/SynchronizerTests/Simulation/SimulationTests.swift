import Foundation
import Synchronization
import Testing

/// `CHECKPOST_SIMULATION_SEED=17 swift test --filter SimulationTests` repeats one run; `CHECKPOST_SIMULATION_SEEDS=5000` makes more,
/// and `501-1000` is a part of them.
@Suite("Both posts over simulated days", .timeLimit(.minutes(40)))
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds: [UInt64] =
        if let one = environment["CHECKPOST_SIMULATION_SEED"].flatMap(UInt64.init) {
            [one]
        } else {
            (environment["CHECKPOST_SIMULATION_SEEDS"] ?? "100").split(separator: "-").compactMap { UInt64($0) }
                .reduce(into: [UInt64]()) { seeds, number in seeds = Array((seeds.last ?? 1)...number) }
        }

    /// `CHECKPOST_SIMULATION_TRACES=FOLDER` writes what each seed asked of the server, for a comparison with another version's.
    private static func keep(_ trace: [String], of seed: UInt64) throws {
        guard let folder = environment["CHECKPOST_SIMULATION_TRACES"] else { return }
        try trace.joined(separator: "\n").write(toFile: "\(folder)/\(seed).txt", atomically: true, encoding: .utf8)
    }

    @Test func `lose nothing, send nothing twice, keep the order, and accuse nobody falsely`() {
        let failures = Mutex<[String]>([])
        let alerts = Mutex(0)
        let words = Mutex(0)
        let outcomes = Mutex(0)
        let carried = Mutex(0)
        let losses = Mutex(0)
        let closed = Mutex(0)
        let unseen = Mutex(0)
        let hubbed = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: Self.seeds.count) { index in
            let seed = Self.seeds[index]
            do {
                let simulation = try Simulation(seed: seed)
                let problems = try simulation.run()
                alerts.withLock { $0 += simulation.alertCount }
                words.withLock { $0 += simulation.peer.taken }
                outcomes.withLock { $0 += simulation.peer.done }
                carried.withLock { $0 += simulation.posts.compactMap(\.way?.carried).reduce(0, +) }
                losses.withLock { $0 += simulation.posts.map(\.losses).reduce(0, +) }
                closed.withLock { $0 += simulation.people?.closed ?? 0 }
                hubbed.withLock { $0 += simulation.hub.carried }
                unseen.withLock { $0 += simulation.posts.map(\.unseen.count).reduce(0, +) }
                try Self.keep(simulation.trace, of: seed)
                if !problems.isEmpty {
                    failures.withLock { $0.append("seed \(seed): \(problems) \(simulation.events)") }
                }
            } catch {
                failures.withLock { $0.append("seed \(seed): \(error)") }
            }
        }
        // Days without an alert would show no false one.
        if Self.seeds.count >= 100 {
            #expect(alerts.withLock { $0 } > Self.seeds.count)
            #expect(words.withLock { $0 } > Self.seeds.count, "the direct link told nothing")
            #expect(carried.withLock { $0 } > Self.seeds.count, "nothing went through the other post")
            #expect(losses.withLock { $0 } > Self.seeds.count / 10, "no box lost its records")
            #expect(closed.withLock { $0 } > Self.seeds.count / 10, "nobody lost a right")
            #expect(hubbed.withLock { $0 } > Self.seeds.count, "nothing went through a hub")
            #expect(unseen.withLock { $0 } > Self.seeds.count / 10, "no camera was dead")
            #expect(outcomes.withLock { $0 } > 0, "the direct link told nothing of what was done")
        }
        let found = failures.withLock { $0 }
        #expect(
            found.isEmpty,
            "\(found.count) failed. Repeat one with CHECKPOST_SIMULATION_SEED: \(found.prefix(12).joined(separator: "\n"))"
        )
    }

    @Test func `accuse nobody who came out while the posts were out of reach`() throws {
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            do {
                let problems = try Simulation(seed: UInt64(index + 1), road: .quiet).run()
                if !problems.isEmpty { failures.withLock { $0.append("seed \(index + 1): \(problems)") } }
            } catch {
                failures.withLock { $0.append("seed \(index + 1): \(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func `are the same again from the same seed`() throws {
        let traces = try (0..<2).map { _ in
            let simulation = try Simulation(seed: 7)
            _ = try simulation.run()
            return simulation.trace
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0].count > 100)
    }
}
