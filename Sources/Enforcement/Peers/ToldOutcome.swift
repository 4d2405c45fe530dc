import Foundation

/// What was done about a violation at the other post, as that post tells it. A violation is named by its two passages: each post gives it an id
/// of its own.
package struct ToldOutcome: Sendable, Equatable {
    package var entry: UUID
    package var exit: UUID
    package var outcome: Outcome

    package init(entry: UUID, exit: UUID, outcome: Outcome) {
        (self.entry, self.exit, self.outcome) = (entry, exit, outcome)
    }

    /// Whether it holds here from now on. What a person did here, or what the server said, is not touched: where two acted, the server says
    /// who counts.
    ///
    /// - Parameters:
    ///   - held: what holds here.
    ///   - isTold: whether that is what the other post told before, and changes now.
    package func holds(over held: Outcome?, isTold: Bool) -> Bool {
        guard let held else { return true }
        return isTold && !held.saysTheSame(as: outcome)
    }
}
