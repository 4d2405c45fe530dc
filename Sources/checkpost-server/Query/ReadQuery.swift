/// A query as a client wrote it, parsed but not yet compared with the catalog.
///
/// `embedded` holds the parts for embedded tables by their key, such as `checkposts.code=eq.BNP-A`.
package struct ReadQuery: Sendable, Equatable {
    package var select = SelectList.everything
    package var filters: [Filter] = []
    package var order: [OrderTerm] = []
    package var limit: Int?
    package var offset = 0
    package var embedded: [String: ReadQuery] = [:]
    /// For writes: the columns to take from the body, and those that tell a duplicate.
    package var columns: [String]?
    package var conflictColumns: [String]?

    package init() {}

    package init(_ query: QueryString) throws(APIError) {
        for item in query.items {
            try apply(
                path: item.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init), item.value)
        }
        guard conditionCount <= Filter.conditionLimit else {
            throw .badQuery("the query has more than \(Filter.conditionLimit) conditions")
        }
        guard select.itemCount <= SelectList.totalLimit, select.embeddingCount <= SelectList.embeddingLimit else {
            throw .badQuery(
                "select has more than \(SelectList.totalLimit) items or \(SelectList.embeddingLimit) embedded tables")
        }
        // Of several limits and offsets the last one holds: a client that is told `limit` and `range` sends both.
        _ = try query.only("select")
        _ = try query.only("order")
        _ = try query.only("on_conflict")
        _ = try query.only("columns")
    }

    private var conditionCount: Int {
        filters.reduce(0) { $0 + $1.conditionCount } + embedded.values.reduce(0) { $0 + $1.conditionCount }
    }

    private mutating func apply(path: [String], _ value: String) throws(APIError) {
        let isGroup = path.last == "and" || path.last == "or"
        let isNegatedGroup = isGroup && path.dropLast().last == "not"
        let own = isNegatedGroup ? 2 : 1
        if path.count > own {
            guard path.count <= own + SelectList.depthLimit else {
                throw .badQuery("failed to parse parameter \(path.joined(separator: ".").prefix(100))")
            }
            try embedded[path[0], default: ReadQuery()].apply(path: Array(path.dropFirst()), value)
            return
        }
        switch path[path.count - 1] {
        case "select": select = try SelectList(value)
        case "order": order = try OrderTerm.list(value)
        case "limit": limit = try number(value, "limit")
        case "offset": offset = try number(value, "offset")
        case "on_conflict": conflictColumns = try names(value)
        case "columns": columns = try names(value)
        case "and", "or":
            let group = try Filter.group(isAny: path.last == "or", value)
            filters.append(isNegatedGroup ? .not(group) : group)
        case let column: filters.append(try Filter.parameter(column: column, value))
        }
    }

    private func number(_ text: String, _ name: String) throws(APIError) -> Int {
        guard let number = Int(text), (0...1_000_000_000).contains(number) else {
            throw .badQuery("\(name) is not a number from 0 to 1000000000")
        }
        return number
    }

    private func names(_ text: String) throws(APIError) -> [String] {
        let parts = text.split(separator: ",")
        guard parts.count <= 100 else { throw .badQuery("more than 100 columns are named") }
        return parts.map { part in
            part.hasPrefix("\"") && part.hasSuffix("\"") && part.count > 1
                ? String(part.dropFirst().dropLast()) : String(part)
        }
    }
}
