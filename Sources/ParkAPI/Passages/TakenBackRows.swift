import Enforcement
import Foundation

/// The columns of `passage_changes`.
package enum ChangeColumn: String, NumberedColumn {
    case id
    case clientID = "client_id"
    case passage = "passage_id"
    case checkpost = "checkpost_id"
    case kind
    case createdAt = "created_at"
    case serverSequence = "server_seq"

    package static var table: Table { .passageChanges }
}

/// What became of a passage that a post or the warden changed.
package enum ChangeKind: String, Sendable, CaseIterable {
    case corrected
    case withdrawn

    /// Kept for the warden. A box hears of it from `deleted_passages`.
    case deleted

    /// By hand, at the server. A box hears of it as of any other row.
    case stored
}

/// A passage that was corrected or withdrawn.
package struct ChangeRow: FollowedRow, Sendable {
    package typealias Column = ChangeColumn

    package var clientID: UUID

    /// The row that was corrected; nil for one that is gone.
    package var passage: UUID?

    /// Nil for a word that this box doesn't know.
    package var kind: ChangeKind?
    package var serverSequence: Int64?
    package var followedAt: Instant? { nil }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: ChangeColumn.self)
        clientID = try cell(.clientID)
        passage = try cell.optional(.passage)
        kind = ChangeKind(rawValue: try cell(.kind))
        serverSequence = try cell.optional(.serverSequence)
    }
}

/// The columns of `deleted_passages`.
package enum DeletionColumn: String, NumberedColumn {
    case id
    case clientID = "client_id"
    case smsClientID = "sms_client_id"
    case checkpost = "checkpost_id"
    case deletedAt = "deleted_at"
    case serverSequence = "server_seq"

    package static var table: Table { .deletedPassages }
}

/// A passage that a person deleted.
package struct DeletionRow: FollowedRow, Sendable {
    package typealias Column = DeletionColumn

    package var id: UUID
    package var clientID: UUID
    package var smsClientID: UUID?
    package var serverSequence: Int64?
    package var followedAt: Instant? { nil }
    package var mark: UUID? { id }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: DeletionColumn.self)
        id = try cell(.id)
        clientID = try cell(.clientID)
        smsClientID = try cell.optional(.smsClientID)
        serverSequence = try cell.optional(.serverSequence)
    }
}
