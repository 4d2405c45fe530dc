import Foundation

/// What the server's checks allow, and the ids that both sides compute.
extension Contract {
    package struct Columns: Decodable, Sendable {
        package var words: [Words]
        package var lengths: [Length]
        package var plates: [Plate]

        package func words(_ table: String, _ column: String) -> Set<String>? {
            words.first { $0.table == table && $0.column == column }.map { Set($0.words) }
        }

        package func most(_ table: String, _ column: String) -> Int? {
            lengths.first { $0.table == table && $0.column == column }?.most
        }
    }

    package struct Words: Decodable, Sendable {
        package var table: String
        package var column: String
        package var words: [String]
    }

    package struct Length: Decodable, Sendable {
        package var table: String
        package var column: String
        package var most: Int
    }

    package struct Plate: Decodable, Sendable {
        package var sent: String
        package var is_taken: Bool
    }

    package struct Ids: Decodable, Sendable {
        package var texts: [TextID]
        package var names: [NameID]
    }

    package struct TextID: Decodable, Sendable {
        package var text: String
        /// As it arrives.
        package var sent: String
        package var id: String
    }

    package struct NameID: Decodable, Sendable {
        package var name: String
        package var id: String
    }

    package static func columns() throws -> Columns { try decode("columns.json") }
    package static func ids() throws -> Ids { try decode("ids.json") }
}
