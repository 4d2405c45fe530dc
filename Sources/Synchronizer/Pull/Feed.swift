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
