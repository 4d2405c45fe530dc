import Foundation

/// An entry passage and the exit passage of the same vehicle.
package struct Match: Sendable, Equatable {
    package var entry: MatchablePassage
    package var exit: MatchablePassage

    /// Whether the plates are equal, or only look alike: then a ranger judges.
    package var certainty: Certainty

    package enum Certainty: String, Sendable, Codable {
        case exact
        case lookAlike = "look_alike"
    }

    /// Puts two passages in order: the earlier one is the entry.
    package init(_ one: MatchablePassage, _ other: MatchablePassage, certainty: Certainty) {
        // Of equal times the entry is at the post whose code sorts first: both posts and the server name the same one. A client_id
        // wouldn't do, since the row of an SMS takes another when its upload comes.
        let inOrder =
            one.recordedAt != other.recordedAt
            ? one.recordedAt < other.recordedAt : one.checkpostCode < other.checkpostCode
        entry = inOrder ? one : other
        exit = inOrder ? other : one
        self.certainty = certainty
    }

    /// Whether the two may be one drive by the ways they went; where these aren't known they may.
    package var mayBeDrive: Bool { entry.mayBeEntry && exit.mayBeExit }

    package var travelTime: TimeSpan { exit.recordedAt - entry.recordedAt }
}

/// Whether the server has judged a finding of this post.
package enum FindingState: String, Sendable, Codable, CaseIterable {
    /// Found here; the server has not said yet.
    case provisional
    case confirmed
    /// The server judged otherwise, or a plate was corrected.
    case withdrawn
}
