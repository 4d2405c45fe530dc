import Foundation

/// Which passages of one plate belong together: a walk through them in the order of time.
///
/// A passage pairs with the one right before it where that is of the other post, within the window and not paired yet. So the pairs follow
/// from the passages alone, in whatever order they came to be known; nearest in time would not: decision note 0280. The walk begins anew
/// where no pair can lie, so a passage that comes, goes or changes moves nothing but the *runs* around it. None lies behind a passage that
/// left the road, nor before one that entered it, where that is known: decision note 0301.
///
/// The server walks alike (`checkpost.pairs_around`); `Tests/Contract/judging.json` holds both to the same cases.
package struct PairWalk: Sendable, Equatable {
    /// How far apart in time two passages can be.
    package var window: TimeSpan

    package init(window: TimeSpan) { self.window = window }

    /// A passage of either post, and whom it is matched with.
    package struct Step: Sendable, Equatable {
        package var passage: MatchablePassage
        package var partner: UUID?

        /// Its pair stays as it is, also one whose other passage is not known here: the server made it, or a ranger acted on it.
        package var isKept: Bool

        package init(_ passage: MatchablePassage, partner: UUID? = nil, isKept: Bool = false) {
            self.passage = passage
            self.partner = partner
            self.isKept = isKept
        }
    }

    /// What is to be changed so that the pairs are right.
    package struct Decision: Sendable, Equatable {
        /// Passages of this walk that are matched with somebody else than they should be.
        package var parted: [UUID] = []
        package var joined: [Match] = []
    }

    /// The pairs among passages of one plate, those that are kept left out.
    package func pairs(among steps: [Step]) -> [Match] {
        runs(of: steps).flatMap(Self.pairs)
    }

    /// - Parameters:
    ///   - moment: when a passage came, went or changed. The runs before and after it are decided anew.
    ///   - steps: the passages of the plate around the moment. A partner that is not among them is too far away to be judged: its pair is kept.
    package func decide(around moment: Instant, among steps: [Step]) -> Decision {
        let known = Set(steps.map(\.passage.clientID))
        let steps = steps.map { step in
            var step = step
            if let partner = step.partner, !known.contains(partner) { step.isKept = true }
            return step
        }
        let runs = runs(of: steps)
        let first = runs.lastIndex { $0.contains { $0.passage.recordedAt < moment } } ?? 0
        let last = runs.firstIndex { $0.contains { $0.passage.recordedAt > moment } } ?? runs.count - 1
        guard first <= last else { return Decision() }
        let touched = runs[first...last]
        let pairs = touched.flatMap(Self.pairs)
        var partners: [UUID: UUID] = [:]
        for pair in pairs {
            partners[pair.entry.clientID] = pair.exit.clientID
            partners[pair.exit.clientID] = pair.entry.clientID
        }
        let before = touched.joined().filter { !$0.isKept }
        let matched = Dictionary(
            before.compactMap { step in step.partner.map { (step.passage.clientID, $0) } },
            uniquingKeysWith: { one, _ in one })
        return Decision(
            parted: before.map(\.passage.clientID).filter { matched[$0] != nil && matched[$0] != partners[$0] },
            joined: pairs.filter { matched[$0.entry.clientID] != $0.exit.clientID })
    }

    /// The passages in order, cut where no pair can lie: after one of the same post, after more than the window, beside a kept pair, after
    /// one that left, before one that entered.
    private func runs(of steps: [Step]) -> [[Step]] {
        var runs: [[Step]] = []
        for step in steps.filter({ !$0.passage.isUnprovenText }).sorted(by: Self.isBefore) {
            if let last = runs.last?.last, !last.isKept, !step.isKept,
                last.passage.checkpostCode != step.passage.checkpostCode,
                step.passage.recordedAt - last.passage.recordedAt <= window,
                last.passage.mayBeEntry, step.passage.mayBeExit
            {
                runs[runs.count - 1].append(step)
            } else {
                runs.append([step])
            }
        }
        return runs
    }

    private static func pairs(of run: [Step]) -> [Match] {
        stride(from: 0, to: run.count - 1, by: 2).map {
            Match(run[$0].passage, run[$0 + 1].passage, certainty: .exact)
        }
    }

    /// Of equal times the post whose code sorts first, as for entry and exit; at one post the greater client_id.
    private static func isBefore(_ one: Step, _ other: Step) -> Bool {
        let (one, other) = (one.passage, other.passage)
        if one.recordedAt != other.recordedAt { return one.recordedAt < other.recordedAt }
        if one.checkpostCode != other.checkpostCode { return one.checkpostCode < other.checkpostCode }
        return one.clientID.uuidString > other.clientID.uuidString
    }
}
