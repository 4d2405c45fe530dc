/// How far apart the clocks of two posts are, by the time that the other one wrote into its answer.
///
/// A speed is a difference between the two clocks: one that is a minute late makes every vehicle of one direction faster, and every one of the
/// other slower. What lies between question and answer may be long, on a slow radio. So there are bounds and no estimate: nothing is said to
/// be apart that may agree.
package struct ClockComparison: Sendable, Equatable {
    /// Less is not worth a word: of 13 minutes that a short road takes it is little more than one in a hundred.
    package static let tolerance = TimeSpan.seconds(10)

    /// This post's clock less the other's is not less than this.
    package let least: TimeSpan

    /// And not more than this.
    package let most: TimeSpan

    /// - Parameters:
    ///   - other: what the other post's clock showed when it wrote its answer.
    ///   - now: what this one's shows when the answer is there.
    ///   - took: from question to answer, by a clock that only runs forward.
    ///   - waited: how long of that the question lay at the other post before it was answered.
    package init(other: Instant, now: Instant, took: TimeSpan, waited: TimeSpan) {
        most = now - other
        // Who says that it waited longer than it can have gains nothing: the bounds don't cross.
        let way = took.milliseconds - min(max(0, waited.milliseconds), took.milliseconds)
        least = .milliseconds(most.milliseconds - way)
    }

    /// How far this post's clock is ahead at least; negative where it is behind, none where the two may agree within the tolerance.
    package var apart: TimeSpan? {
        if least > Self.tolerance { return least }
        return most.milliseconds < -Self.tolerance.milliseconds ? most : nil
    }
}
