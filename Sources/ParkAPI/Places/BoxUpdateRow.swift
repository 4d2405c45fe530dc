import Enforcement
import Foundation

/// The columns of `box_updates` that a box is told.
package enum BoxUpdateColumn: String, TableColumn {
    case fileName = "file_name"
    case bytes
    case sha256
    case signature
    case offeredAt = "offered_at"
    case endedAt = "ended_at"

    package static var table: Table { .boxUpdates }
}

/// A package that the server offers to this post.
package struct BoxUpdateRow: Decodable, Sendable {
    package var offer: OfferedUpdate

    package static let columns: [BoxUpdateColumn] = [.fileName, .bytes, .sha256, .signature, .offeredAt]

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: BoxUpdateColumn.self)
        let offer = OfferedUpdate(
            fileName: try cell(.fileName), bytes: try cell(.bytes), sha256: try cell(.sha256),
            signature: try cell(.signature), offeredAt: try cell.time(.offeredAt))
        guard let offer else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no package that a box can take"))
        }
        self.offer = offer
    }

    /// What is offered to the post that asks.
    package static var question: RowQuery<BoxUpdateColumn> {
        RowQuery<BoxUpdateColumn>().whose(.endedAt, .isNull).telling(columns).limited(to: OfferedUpdate.most)
    }
}
