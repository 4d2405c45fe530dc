import Enforcement
import Foundation

/// The columns of `checkposts`.
package enum CheckpostColumn: String, TableColumn {
    case id
    case segment = "segment_id"
    case code
    case name
    case positionIndex = "position_index"
    /// Of a further road of a post: the post itself. Another server knows no such roads.
    case standsAt = "stands_at"

    package static var table: Table { .checkposts }
}

/// A checkpost: all of it, or as much as was asked for.
package struct CheckpostRow: Decodable, Sendable {
    package var id: UUID
    package var segment: UUID
    package var code: String
    package var name: String
    package var positionIndex: Int
    /// Nil where it was not asked for, and for a post itself.
    package var standsAt: UUID?

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: CheckpostColumn.self)
        id = try cell(.id)
        segment = try cell(.segment)
        code = try cell(.code)
        name = try cell(.name)
        positionIndex = try cell(.positionIndex)
        standsAt = try cell.optional(.standsAt)
    }

    /// What a row of this type is read from.
    package static let columns: [CheckpostColumn] = [.id, .segment, .code, .name, .positionIndex]

    package var checkpost: Checkpost { Checkpost(id: id, code: code, name: name, positionIndex: positionIndex) }
}

/// What a post is called.
package struct CheckpostCodeRow: Decodable, Sendable {
    package var code: String

    package init(from decoder: any Decoder) throws {
        code = try Cells(decoder, of: CheckpostColumn.self)(.code)
    }
}
