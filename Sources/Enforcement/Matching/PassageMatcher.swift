/// Finds the passage at the other checkpost that belongs to a passage.
///
/// Same segment, other checkpost, same compact plate, within the window, none of the plate in between, and neither known to have gone the
/// other way: `PairWalk`. A text that nobody has proven matches nothing, and is in no other passage's way.
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

    package var walk: PairWalk { PairWalk(window: window) }

    /// - Parameters:
    ///   - passage: an unmatched passage.
    ///   - others: passages of the segment that no kept pair holds. Those of another plate and those outside the window are left out here, so
    ///     that a caller can pass all it has; one of the same plate at the same checkpost lies in between.
    package func match(_ passage: MatchablePassage, among others: [MatchablePassage]) -> Finding {
        guard !passage.isUnprovenText else { return .pending }
        if !passage.plate.isPartial {
            let same = others.filter { $0.plate == passage.plate && $0.clientID != passage.clientID }
            let pairs = walk.pairs(among: ([passage] + same).map { PairWalk.Step($0) })
            if let match = pairs.first(where: { [$0.entry.clientID, $0.exit.clientID].contains(passage.clientID) }) {
                return .matched(match)
            }
        }
        let alike = possible(passage, among: others)
        return alike.isEmpty ? .pending : .possible(alike)
    }

    /// What only looks alike, the nearest in time first; of equal distances the earlier passage, of equal times the smaller client_id.
    package func possible(_ passage: MatchablePassage, among others: [MatchablePassage]) -> [Match] {
        guard !passage.isUnprovenText else { return [] }
        return others.filter {
            $0.checkpostCode != passage.checkpostCode && $0.clientID != passage.clientID && !$0.isUnprovenText
                && ($0.recordedAt - passage.recordedAt).magnitude <= window
                && (passage.plate.isPartial || $0.plate != passage.plate)
                && LookAlike.mayBeSame($0.plate, passage.plate)
                && Match(passage, $0, certainty: .lookAlike).mayBeDrive
        }
        .sorted { distance($0, passage) < distance($1, passage) }
        .prefix(Self.maximumPossible).map { Match(passage, $0, certainty: .lookAlike) }
    }

    private func distance(_ other: MatchablePassage, _ passage: MatchablePassage) -> (Int64, Int64, String) {
        let distance = (other.recordedAt - passage.recordedAt).magnitude.milliseconds
        return (distance, other.recordedAt.milliseconds, other.clientID.uuidString)
    }
}
