import Enforcement
import Foundation

extension ServerAnswer {
    /// The rows of a body that is a list, and how many of them make no sense: one of those must not hold up the others.
    package func usableRows<Row: Decodable>(
        _ type: Row.Type = Row.self
    ) throws(SenselessAnswer) -> (rows: [Row], unreadable: Int) {
        let all = try rows(Lossy<Row>.self)
        let usable = all.compactMap(\.value)
        return (usable, all.count - usable.count)
    }

    /// The rows of a body that is a list.
    package func rows<Row: Decodable>(_ type: Row.Type = Row.self) throws(SenselessAnswer) -> [Row] {
        do {
            return try JSONDecoder().decode([Row].self, from: body)
        } catch {
            throw SenselessAnswer((error as? DecodingError)?.plainText ?? "\(error)")
        }
    }

    /// A body that is one object; nil when it is none, or of another shape.
    package func object<Body: Decodable>(_ type: Body.Type = Body.self) -> Body? {
        try? JSONDecoder().decode(Body.self, from: body)
    }

    /// Whether the body is a list of nothing: what a write answers that changed no row.
    package var isEmptyList: Bool {
        (try? JSONDecoder().decode([JSONValue].self, from: body))?.isEmpty == true
    }
}

/// An answer of which nothing can be taken.
package struct SenselessAnswer: Error, Sendable, Equatable {
    /// A sentence.
    package var reason: String

    init(_ detail: String) {
        reason = "The server's answer makes no sense: \(detail)."
    }
}

extension DecodingError {
    /// What is wrong, for a person: `"distance_km" is missing in its first row`.
    var plainText: String {
        switch self {
        case .keyNotFound(let key, let context): "\"\(key.stringValue)\" is missing\(Self.place(context.codingPath))"
        case .valueNotFound(_, let context): "\(Self.name(context)) is empty"
        case .typeMismatch(_, let context):
            context.codingPath.isEmpty ? "it is no list of rows" : "\(Self.name(context)) is of another kind"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is no JSON" : "\(Self.name(context)) can't be read"
        @unknown default: "it can't be read"
        }
    }

    private static func name(_ context: Context) -> String {
        let name = context.codingPath.last { $0.intValue == nil }.map { "\"\($0.stringValue)\"" } ?? "a row"
        return name + place(context.codingPath)
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.first?.intValue.map { " in row \($0 + 1)" } ?? ""
    }
}
