import Enforcement
import Foundation

/// What the two posts have to have alike so that both judge right. It goes with each answer.
struct PeerTerms: Codable, Equatable {
    /// What the clock showed when the answer was written, in milliseconds since 1970; nil where it can't be believed.
    var now: Int64?

    /// So long the question lay here, in milliseconds.
    var waited: Int64
    var road: RoadTerms

    /// How the clocks stand to each other; nil where the other post doesn't believe its own: its passages say so themselves.
    ///
    /// - Parameters:
    ///   - own: what this post's clock shows now.
    ///   - took: from question to answer.
    func clocks(at own: Instant, took: TimeSpan) -> ClockComparison? {
        // Anything may come from outside: no sum of it goes over the edge.
        guard let now, Self.sensible.contains(now) else { return nil }
        return ClockComparison(
            other: Instant(milliseconds: now), now: own, took: took, waited: .milliseconds(waited))
    }

    /// From 1970 to 2100.
    private static let sensible: ClosedRange<Int64> = 0...4_102_444_800_000
}
