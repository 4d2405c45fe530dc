import Enforcement
import Foundation

/// The columns of `listed_plates` that a box is told.
package enum ListedPlateColumn: String, TableColumn {
    case kind
    case plate = "plate_number"
    case reason
    case listedAt = "listed_at"
    case endedAt = "ended_at"

    package static var table: Table { .listedPlates }
}

/// A plate that the park's office lists for this road.
package struct ListedPlateRow: Decodable, Sendable {
    package var listed: ListedPlate

    package static let columns: [ListedPlateColumn] = [.kind, .plate, .reason, .listedAt]

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: ListedPlateColumn.self)
        let reason: String = try cell(.reason)
        guard let kind = ListedPlate.Kind(rawValue: try cell(.kind)), let plate = Plate(told: try cell(.plate)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no list or plate that is known"))
        }
        listed = ListedPlate(
            kind: kind, plate: plate, reason: String(reason.prefix(ContractLimits.listReason)),
            listedAt: try cell.time(.listedAt))
    }
}
