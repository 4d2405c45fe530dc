import Foundation

/// The JSON of an insert or an update: the text for PostgreSQL, which reads it again itself, and the names it uses.
package struct WriteBody: Sendable, Equatable {
    /// As many as a box sends at once, at most: an insert of more holds so many names locked that others wait for it.
    package static let rowLimit = 500

    /// An array of objects, always.
    package var json: String
    package var count: Int
    /// The names of the objects' members, of all of them or of those that `columns=` chose.
    package var columns: [String]
    package var isArray: Bool
    /// The texts by the name of their member.
    private var texts: [String: [String]] = [:]

    /// What the client itself calls its rows by, for the log.
    package var names: [String] {
        ["id", "client_id", "code", "key", "checkpost_id"].lazy.compactMap { texts[$0] }.first ?? []
    }

    private struct Rows: Decodable {
        var objects: [[String: JSONText]]
        var isArray: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            isArray = (try? decoder.unkeyedContainer()) != nil
            objects =
                isArray
                ? try container.decode([[String: JSONText]].self) : [try container.decode([String: JSONText].self)]
        }
    }

    /// - Parameter chosen: the names in `columns=`; without them all objects must have the same names.
    package init(_ data: Data, chosen: [String]?, usesDefaults: Bool) throws(APIError) {
        guard let text = String(validating: data, as: UTF8.self) else { throw .badBody("The body is not UTF-8") }
        try JSONBounds.check(data)
        let rows: Rows
        do {
            rows = try JSONDecoder().decode(Rows.self, from: data)
        } catch DecodingError.dataCorrupted {
            throw .badBody("Empty or invalid json")
        } catch {
            throw .badBody("The body must be an object or an array of objects")
        }
        isArray = rows.isArray
        let objects = rows.objects
        guard objects.count <= Self.rowLimit else {
            throw APIError(.contentTooLarge, "PGRST102", "The body has more than \(Self.rowLimit) objects")
        }
        json = isArray ? text : "[\(text)]"
        count = objects.count
        for object in objects {
            for (name, member) in object { if let text = member.text { texts[name, default: []].append(text) } }
        }
        let names = objects.first.map { Set($0.keys) } ?? []
        if let chosen {
            columns = chosen
        } else {
            guard usesDefaults || objects.allSatisfy({ Set($0.keys) == names }) else {
                throw .badBody("All object keys must match")
            }
            columns = objects.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.sorted()
        }
        guard columns.count <= 100, Set(columns).count == columns.count else {
            throw .badBody("A column is named twice, or more than 100 columns are named")
        }
    }
}

extension WriteBody {
    /// Demands of times that they are written as ISO 8601 does. PostgreSQL would also read `now` or `tomorrow`, and store the
    /// moment of the upload as that of the passage.
    func demandTimes(_ columns: [Catalog.Column]) throws(APIError) {
        for column in columns where column.type.hasPrefix("timestamp") {
            guard let wrong = (texts[column.name] ?? []).first(where: { !Self.isTime($0) }) else { continue }
            throw APIError(
                .badRequest, "22007", "\(column.name) is no time: \(wrong.prefix(60))",
                hint: "Write 2026-11-21T10:00:00.250Z.")
        }
    }

    private static func isTime(_ text: String) -> Bool {
        // The year, the month and the day; PostgreSQL judges the rest, in which words have no place.
        let date = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
        let rest = text.dropFirst(date.count)
        let isDate =
            date.split(separator: "-", omittingEmptySubsequences: false).count >= 3 && date.first?.isNumber == true
        return isDate && rest.allSatisfy { $0.isASCII && ($0.isNumber || "TtZz :.+-".contains($0)) }
    }

    /// Demands JSON, or what curl says of a body by itself.
    ///
    /// - Throws: 415 for a type that PostgREST reads and this server doesn't, CSV for one.
    package static func demandJSON(_ contentType: String?) throws(APIError) {
        let type = (contentType ?? "").prefix { $0 != ";" }.trimming(while: \.isWhitespace).lowercased()
        let isJSON = type == "application/json" || type.hasSuffix("+json")
        guard isJSON || ["", "application/x-www-form-urlencoded", "application/octet-stream"].contains(type) else {
            throw APIError(
                .unsupportedMediaType, "PGRST102", "Content-Type not acceptable: \(type.prefix(100))",
                hint: "Send application/json.")
        }
    }
}

/// A member of which only a text counts.
struct JSONText: Decodable {
    /// Nil for a number, an object and all else.
    var text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}

extension String {
    /// The text of bytes that are valid UTF-8; nil for others.
    fileprivate init?(validating data: Data, as encoding: UTF8.Type) {
        guard let text = String(data: data, encoding: .utf8) else { return nil }
        self = text
    }
}
