/// SQL in the making. Text of ours goes into ``sql``; whatever came from a request goes into ``parameters``.
package struct SQLStatement: Sendable, Equatable {
    package var sql = ""
    package private(set) var parameters: [String?] = []
    private var aliasCount = 0

    package init(_ sql: String = "") {
        self.sql = sql
    }

    /// Adds a parameter and returns what stands for it in the text: `$1::uuid`.
    package mutating func bind(_ value: String?, as type: String) -> String {
        parameters.append(value)
        return "$\(parameters.count)::\(type)"
    }

    /// A name for a table in this statement that nothing else has.
    package mutating func newAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    /// PostgreSQL's text for an array of texts: `{"a","b\"c"}`.
    package static func array(_ values: [String]) -> String {
        let quoted = values.map {
            "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        return "{\(quoted.joined(separator: ","))}"
    }
}
