import Foundation
import Synchronization
import Testing

/// `CHECKPOST_SIMULATION_SEED=17 swift test --filter SimulationTests` repeats one run; `CHECKPOST_SIMULATION_SEEDS=5000` makes more,
/// and `501-1000` is a part of them. `CHECKPOST_SIMULATION_BRIEF_SEED` and `CHECKPOST_SIMULATION_BRIEF_SEEDS` do so with brief days.
@Suite("Both posts over simulated days", .timeLimit(.minutes(40)))
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// - Parameter name: of the variable that says which; the same without its last letter names a single one.
    static func seeds(_ name: String, orElse count: String) -> [UInt64] {
        if let one = environment[String(name.dropLast())].flatMap(UInt64.init) { return [one] }
        return (environment[name] ?? count).split(separator: "-").compactMap { UInt64($0) }
            .reduce(into: [UInt64]()) { seeds, number in seeds = Array((seeds.last ?? 1)...number) }
    }

    /// `CHECKPOST_SIMULATION_TRACES=FOLDER` writes what each seed asked of the server, for a comparison with another version's.
    private static func keep(_ trace: [String], of seed: UInt64) throws {
        guard let folder = environment["CHECKPOST_SIMULATION_TRACES"] else { return }
        try trace.joined(separator: "\n").write(toFile: "\(folder)/\(seed).txt", atomically: true, encoding: .utf8)
    }

    /// What happened in all days together, and what went wrong.
    private struct Played {
        var (alerts, words, outcomes, carried, hubbed) = (0, 0, 0, 0, 0)
        var (losses, closed, unseen, kept) = (0, 0, 0, 0)
        var failures: [String] = []

        /// Days for which there was no time.
        var skipped = 0

        mutating func add(_ simulation: Simulation) {
            alerts += simulation.alertCount
            words += simulation.peer.taken
            outcomes += simulation.peer.done
            carried += simulation.posts.compactMap(\.way?.carried).reduce(0, +)
            hubbed += simulation.hub.carried
            losses += simulation.posts.map(\.losses).reduce(0, +)
            closed += simulation.people?.closed ?? 0
            unseen += simulation.posts.map(\.unseen.count).reduce(0, +)
            kept += simulation.posts[0].texts.mailbox?.kept ?? 0
        }

        /// Days without an alert would show no false one, and so on.
        ///
        /// - Parameter days: how many there were.
        func isEventful(days: Int) -> Bool {
            [alerts, words, carried, hubbed].allSatisfy { $0 > days / 2 }
                && [losses, closed, unseen].allSatisfy { $0 > days / 10 } && outcomes > 0 && kept > 0
        }
    }

    /// So many days are played however long that takes, where no variable says which …
    private static let least = 100

    /// … and after that time no more are begun: a slow machine plays fewer.
    private static let longest = Duration.seconds(10 * 60)

    private static func play(_ seeds: [UInt64], _ road: Simulation.Road, isBounded: Bool) -> Played {
        let played = Mutex(Played())
        let begun = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
            if isBounded, index >= least, ContinuousClock.now - begun > longest {
                return played.withLock { $0.skipped += 1 }
            }
            let seed = seeds[index]
            do {
                let simulation = try Simulation(seed: seed, road: road)
                let problems = try simulation.run()
                played.withLock { $0.add(simulation) }
                try keep(simulation.trace, of: seed)
                if !problems.isEmpty {
                    played.withLock { $0.failures.append("seed \(seed): \(problems) \(simulation.events)") }
                }
            } catch {
                played.withLock { $0.failures.append("seed \(seed): \(error)") }
            }
        }
        return played.withLock { $0 }
    }

    static func check(_ seeds: [UInt64], _ road: Simulation.Road, _ variable: String) {
        let played = play(seeds, road, isBounded: environment["\(variable)S"] == nil)
        let days = seeds.count - played.skipped
        if played.skipped > 0 { print("There was time for \(days) of \(seeds.count) days.") }
        if days >= least, road == .busy { #expect(played.isEventful(days: days), "\(played)") }
        let found = played.failures
        #expect(
            found.isEmpty,
            "\(found.count) failed. Repeat one with \(variable): \(found.prefix(12).joined(separator: "\n"))")
    }

    @Test func `lose nothing, send nothing twice, keep the order, and accuse nobody falsely`() {
        Self.check(Self.seeds("CHECKPOST_SIMULATION_SEEDS", orElse: "100"), .busy, "CHECKPOST_SIMULATION_SEED")
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

/// In a process of their own: they take longer than the whole days.
@Suite("Both posts over many brief days", .timeLimit(.minutes(40)))
struct BriefSimulationTests {
    @Test func `lose nothing, send nothing twice, keep the order, and accuse nobody falsely`() {
        SimulationTests.check(
            SimulationTests.seeds("CHECKPOST_SIMULATION_BRIEF_SEEDS", orElse: "400"), .brief,
            "CHECKPOST_SIMULATION_BRIEF_SEED")
    }
}
