import Enforcement
import Foundation
import Synchronization
import TestKit

@testable import Synchronizer

/// What the simulation leaves to chance.
typealias Chance = SeededGenerator

extension SeededGenerator {
    mutating func happens(_ probability: Double) -> Bool { share() < probability }
    mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }
    mutating func span(_ range: ClosedRange<Double>) -> TimeSpan { .seconds(Double.random(in: range, using: &self)) }

    mutating func id() -> UUID {
        var bytes = (next(), next())
        return withUnsafeBytes(of: &bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// Ids that follow from a seed, for whoever asks from another thread's closure.
final class DrawnIDs: Sendable {
    private let chance: Mutex<Chance>

    init(_ chance: sending Chance) { self.chance = Mutex(chance) }

    func next() -> UUID { chance.withLock { $0.id() } }
}

/// The time of a simulation: it passes when somebody says so.
final class SimulatedTime {
    private(set) var passed = TimeSpan.milliseconds(0)
    func advance(_ span: TimeSpan) { passed = .milliseconds(passed.milliseconds + span.milliseconds) }
    func advance(to moment: TimeSpan) { passed = max(passed, moment) }
}

/// A box's clocks over it. The wall clock may be wrong; the one that only runs forward is not.
final class SimulatedClock: SyncClock, @unchecked Sendable {
    static let start = Instant(milliseconds: 1_795_255_200_000)

    // A simulation is one thread's.
    let time: SimulatedTime
    let error: TimeSpan

    init(_ time: SimulatedTime, error: TimeSpan = .milliseconds(0)) {
        self.time = time
        self.error = error
    }

    var uptime: Instant { Instant(milliseconds: 1_000_000) + time.passed }
    var now: Instant { Self.start + time.passed + error }
}
