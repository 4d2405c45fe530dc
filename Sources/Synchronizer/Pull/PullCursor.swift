import Foundation
import ParkAPI

/// How far each kind of rows was read.
enum PullCursor: String, CaseIterable {
    /// From when on this post reads at all.
    case began
    case other, own, deleted, changes
    /// That this post's own passages were read to the end once, so that those that it had recorded before are known.
    case ownRead = "own_read"
    case ownChanges = "own_changes"
    case violations, outcomes, alerts

    /// With the post's id, since another post begins anew.
    func name(of post: UUID) -> String { prefix + post.sent }

    /// Of whatever post.
    var prefix: String { "pull_\(rawValue)_" }
}
