import Enforcement
import Storage

/// A post's disk, with everything that goes wrong on it: it is busy, full, read-only or failing for a while, and the power may go
/// between any two calls of the database.
final class SimulatedDisk: @unchecked Sendable {
    // A simulation is one thread's.
    private struct Trouble {
        var span: ClosedRange<TimeSpan>
        var kind: StoreError.Kind
        var share: Double
    }

    private let time: SimulatedTime
    private var chance: Chance
    private var troubles: [Trouble] = []
    /// How likely the power goes at one call.
    private var cut = 0.0
    /// Whether the calls of now may fail: those of the engine, and not the simulation's own.
    var isWatched = false
    var cutPower: () -> Void = {}
    private(set) var failures = 0

    init(_ time: SimulatedTime, _ chance: Chance, until length: TimeSpan) {
        self.time = time
        self.chance = chance
        guard self.chance.happens(0.6) else { return }
        cut = self.chance.happens(0.5) ? self.chance.share() * 0.004 : 0
        let kinds: [StoreError.Kind] = [.busy, .diskFull, .other, .readOnly]
        for _ in 0..<Int.random(in: 1...4, using: &self.chance) {
            let start = TimeSpan.seconds(self.chance.share() * length.seconds)
            let kind = kinds.randomElement(using: &self.chance) ?? .busy
            // A full disk and a read-only one fail every write; the others come and go.
            let share = kind == .diskFull || kind == .readOnly ? 1 : self.chance.share()
            troubles.append(
                Trouble(span: start...start.adding(self.chance.span(5...600)), kind: kind, share: share))
        }
    }

    func heal() {
        troubles = []
        cut = 0
    }

    var probe: Store.Probe {
        { [self] moment in try fail(moment) }
    }

    private func fail(_ moment: Store.ProbeMoment) throws {
        guard isWatched else { return }
        if cut > 0, chance.happens(cut) {
            failures += 1
            cutPower()
            throw StoreError(.other, "the power went")
        }
        for trouble in troubles where trouble.span.contains(time.passed) {
            let isStanding = trouble.kind == .diskFull || trouble.kind == .readOnly
            if isStanding, moment != .beforeWrite { continue }
            guard chance.happens(trouble.share) else { continue }
            failures += 1
            throw StoreError(trouble.kind, "the disk failed: \(trouble.kind)")
        }
    }
}
