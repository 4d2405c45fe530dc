/// Rangers of both posts said at once that two plates that look alike are one vehicle, and each took the other's plate: they have changed
/// places, and still differ.
///
/// The word of the ranger at the exit holds, since that one saw the vehicle last; both posts decide it alike, and only the post of the
/// entry acts.
package struct CrossedJudgement: Sendable {
    /// The plate before and after this post's last correction of its passage.
    package var before: Plate
    package var after: Plate
    /// The two were matched with equal plates since that correction. Those that were before it, and no more since, have not changed places:
    /// this post corrected a plate that both had read alike.
    package var wereMatched: Bool

    package init(before: Plate, after: Plate, wereMatched: Bool) {
        self.before = before
        self.after = after
        self.wereMatched = wereMatched
    }

    /// - Parameter isOwnEntry: whether this post's passage is the entry.
    /// - Returns: the plate that this post's passage takes back; nil where nothing is crossed, or the other post acts.
    package func plateToTakeBack(own: Plate, other: Plate, isOwnEntry: Bool) -> Plate? {
        guard isOwnEntry, wereMatched, own.compact == after.compact, other.compact == before.compact,
            own.compact != other.compact
        else { return nil }
        return before
    }
}
