/// Finds the passage at the other checkpost that belongs to a passage.
///
/// Same segment, other checkpost, same compact plate, unmatched, within the window, nearest in time; in either direction. A text that
/// nobody has proven matches nothing, and is in no other passage's way.
/// The findings of a post are provisional: the server decides.
package struct PassageMatcher: Sendable, Equatable {
    /// How far apart in time two passages can be: the setting `matching.window_hours`.
    package var window: TimeSpan

    package static let defaultWindow = TimeSpan.hours(24)

    package init(window: TimeSpan = Self.defaultWindow) {
        self.window = window
    }

    package enum Finding: Sendable, Equatable {
        case matched(Match)
        /// Nothing has the same plate, but these look alike: the nearest in time first, for the ranger to judge.
        case possible([Match])
        /// Nothing yet: tried again when passages of the other post arrive.
        case pending
    }

    /// At most this many look-alikes are named: more are no help to anybody.
    package static let maximumPossible = 5

    /// - Parameters:
    ///   - passage: an unmatched passage.
    ///   - others: unmatched passages of the segment. Those of the same checkpost and those outside the window are left
    ///     out here, so that a caller can pass all it has.
    package func match(_ passage: MatchablePassage, among others: [MatchablePassage]) -> Finding {
        guard !passage.isUnprovenText else { return .pending }
        let inReach = others.filter {
            $0.checkpostCode != passage.checkpostCode && $0.clientID != passage.clientID && !$0.isUnprovenText
                && ($0.recordedAt - passage.recordedAt).magnitude <= window
        }
        if !passage.plate.isPartial,
            let same = inReach.filter({ $0.plate == passage.plate })
                .min(by: { distance($0, passage) < distance($1, passage) })
        {
            return .matched(Match(passage, same, certainty: .exact))
        }
        let alike = inReach.filter { LookAlike.mayBeSame($0.plate, passage.plate) }
            .sorted { distance($0, passage) < distance($1, passage) }
        guard !alike.isEmpty else { return .pending }
        return .possible(alike.prefix(Self.maximumPossible).map { Match(passage, $0, certainty: .lookAlike) })
    }

    /// Nearest in time first; of equal distances the earlier passage, of equal times the smaller client_id, as the server decides.
    private func distance(_ other: MatchablePassage, _ passage: MatchablePassage) -> (Int64, Int64, String) {
        let distance = (other.recordedAt - passage.recordedAt).magnitude.milliseconds
        return (distance, other.recordedAt.milliseconds, other.clientID.uuidString)
    }
}
