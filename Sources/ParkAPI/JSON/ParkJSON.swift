import Foundation

/// How what is sent is written. The keys are sorted, so that the same row is the same bytes.
package enum ParkJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(value)
    }
}

/// JSON of any shape, for what the contract leaves open: a setting's value, say.
package enum JSONValue: Codable, Sendable, Equatable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let fields): try container.encode(fields)
        }
    }

    /// - Throws: `DecodingError` for what is no JSON.
    package init(_ data: Data) throws { self = try JSONDecoder().decode(Self.self, from: data) }

    /// The member of this name; nil where there is none, and for what is no object.
    package subscript(name: String) -> JSONValue? { fields?[name] }

    package var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }
    package var string: String? { if case .text(let text) = self { text } else { nil } }

    package var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The value alone, with sorted keys: `0.85`, `"text"`, `[1,2]`.
    package func text() throws -> String { String(decoding: try ParkJSON.data(self), as: UTF8.self) }
}
