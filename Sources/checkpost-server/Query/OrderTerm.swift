/// One column of an order: `recorded_at.desc.nullslast`.
package struct OrderTerm: Sendable, Equatable {
    package var column: String
    package var isDescending = false
    /// nil is PostgreSQL's own way: nulls last when ascending, first when descending.
    package var nullsFirst: Bool?

    package static func list(_ text: String) throws(APIError) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard terms.count < 20 else { throw .badQuery("too many columns to order by") }
            terms.append(try OrderTerm(part))
        }
        return terms
    }

    private init(_ text: Substring) throws(APIError) {
        var words = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        column = words.removeFirst()
        guard !column.isEmpty else { throw .badQuery("failed to parse order (\(text.prefix(100)))") }
        if let word = words.first, word == "asc" || word == "desc" {
            isDescending = word == "desc"
            words.removeFirst()
        }
        if let word = words.first, word == "nullsfirst" || word == "nullslast" {
            nullsFirst = word == "nullsfirst"
            words.removeFirst()
        }
        guard words.isEmpty else { throw .badQuery("failed to parse order (\(text.prefix(100)))") }
    }
}
