import Enforcement
import Foundation
import ParkAPI
import Storage

/// What one kind of rows is fetched by.
struct Feed<Row: FollowedRow> {
    typealias Condition = (column: Row.Column, RowCondition)

    var columns: [Row.Column]
    var filters: [Condition] = []
    /// See ``PullCursor``.
    var cursor: String
    /// The column of times that pages follow where there is no sequence number.
    var timeColumn: Row.Column
    /// Against such a server the whole span is read again each time, since old rows change.
    var rescansFrom: Instant?
    /// A post that has no rows yet, with a new disk for instance, begins with these: not with all that there ever was. See
    /// ``PageReader/beginning(own:)``.
    var atFirst: Condition?
}

/// How far each kind of rows was read.
enum PullCursor: String, CaseIterable {
    /// From when on this post reads at all.
    case began
    case other, own, deleted, changes
    case ownChanges = "own_changes"
    case violations, outcomes, alerts

    /// With the post's id, since another post begins anew.
    func name(of post: UUID) -> String { "pull_\(rawValue)_\(post.sent)" }
}

/// Where this post stands, by the server's ids.
struct Road {
    var segment: UUID
    var own: UUID
}
