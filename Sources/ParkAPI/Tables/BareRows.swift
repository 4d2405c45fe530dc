import Foundation

/// That a row is there.
package struct BareRow<Column: NumberedColumn>: Decodable, Sendable {
    package var id: UUID

    package init(from decoder: any Decoder) throws {
        id = try Cells(decoder, of: Column.self)(.id)
    }
}

/// Which number a row has at the server.
package struct NumberRow<Column: NumberedColumn>: Decodable, Sendable {
    package var id: UUID
    package var serverSequence: Int64

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: Column.self)
        id = try cell(.id)
        serverSequence = try cell(.serverSequence)
    }
}
