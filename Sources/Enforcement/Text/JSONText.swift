import Foundation

/// What a table keeps as JSON in a cell of text, as a person may read it there.
package protocol JSONText: Codable {}

extension JSONText {
    /// With sorted keys: equal values are equal texts.
    package var json: String {
        get throws { String(decoding: try JSONEncoder.sorted.encode(self), as: UTF8.self) }
    }

    /// - Throws: `DecodingError` for what is no JSON of this kind.
    package init(json: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }
}
