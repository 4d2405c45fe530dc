/// A condition of a query, in PostgREST's words.
package indirect enum Filter: Sendable, Equatable {
    package enum Operator: String, Sendable {
        case eq, neq, gt, gte, lt, lte, like, ilike
    }

    package enum Truth: String, Sendable {
        case null, notNull = "not_null", `true`, `false`, unknown
    }

    case compare(column: String, Operator, String)
    case isTruth(column: String, Truth)
    case oneOf(column: String, [String])
    case not(Filter)
    case all([Filter])
    case any([Filter])

    package static let listLimit = 1000
    package static let depthLimit = 5
    /// So many conditions one group may have, and one query in all: each becomes a parameter of the statement.
    package static let memberLimit = 100
    package static let conditionLimit = 200
    /// A pattern with many of these takes a time that grows with every one of them.
    package static let wildcardLimit = 8

    /// How many conditions it has.
    package var conditionCount: Int {
        switch self {
        case .compare, .isTruth, .oneOf: 1
        case .not(let inner): inner.conditionCount
        case .all(let members), .any(let members): members.reduce(1) { $0 + $1.conditionCount }
        }
    }

    /// Reads `eq.1`, `not.in.(1,2)` and so on: the value of a parameter that is named after a column.
    package static func parameter(column: String, _ text: String) throws(APIError) -> Filter {
        var scanner = TextScanner(text)
        let filter = try condition(column: column, &scanner, isNested: false)
        guard scanner.isAtEnd else { throw .badQuery("failed to parse filter (\(text.prefix(100)))") }
        return filter
    }

    /// Reads `(a.eq.1,or(b.gt.2,c.is.null))`: the value of a parameter `and` or `or`.
    package static func group(isAny: Bool, _ text: String) throws(APIError) -> Filter {
        var scanner = TextScanner(text)
        let filter = try group(isAny: isAny, &scanner, depth: 0)
        guard scanner.isAtEnd else { throw .badQuery("failed to parse logic tree (\(text.prefix(100)))") }
        return filter
    }

    private static func group(isAny: Bool, _ scanner: inout TextScanner, depth: Int) throws(APIError) -> Filter {
        guard depth < depthLimit else { throw .badQuery("logic is nested too deeply") }
        guard scanner.skip("(") else { throw .badQuery("failed to parse logic tree: ( is missing") }
        var members: [Filter] = []
        repeat {
            guard members.count < memberLimit else { throw .badQuery("too many conditions") }
            let isNegated = scanner.skip("not.")
            let member: Filter
            if scanner.skip("and", before: "(") {
                member = try group(isAny: false, &scanner, depth: depth + 1)
            } else if scanner.skip("or", before: "(") {
                member = try group(isAny: true, &scanner, depth: depth + 1)
            } else {
                guard let column = scanner.name(), scanner.skip(".") else {
                    throw .badQuery("failed to parse logic tree: a column is missing")
                }
                member = try condition(column: column, &scanner, isNested: true)
            }
            members.append(isNegated ? .not(member) : member)
        } while scanner.skip(",")
        guard scanner.skip(")") else { throw .badQuery("failed to parse logic tree: ) is missing") }
        return isAny ? .any(members) : .all(members)
    }

    private static func condition(
        column: String, _ scanner: inout TextScanner, isNested: Bool
    ) throws(APIError) -> Filter {
        // One is all that means something. A client that writes thousands must not be followed into each of them.
        guard scanner.skip("not.") else { return try bareCondition(column: column, &scanner, isNested: isNested) }
        return .not(try bareCondition(column: column, &scanner, isNested: isNested))
    }

    private static func bareCondition(
        column: String, _ scanner: inout TextScanner, isNested: Bool
    ) throws(APIError) -> Filter {
        guard let name = scanner.name(), scanner.skip(".") else {
            throw .badQuery("failed to parse filter on \(column.prefix(64)): an operator is missing")
        }
        if name == "in" { return .oneOf(column: column, try list(&scanner)) }
        var value = scanner.remainder
        if isNested {
            guard let bounded = scanner.value(endingAt: [",", ")"]) else { throw .badQuery("a quote is not closed") }
            value = bounded
        } else {
            scanner = TextScanner("")
        }
        if name == "is" {
            guard let truth = Truth(rawValue: value.lowercased()) else {
                throw .badQuery("is takes null, not_null, true, false or unknown")
            }
            return .isTruth(column: column, truth)
        }
        guard let comparison = Operator(rawValue: name) else {
            throw .badQuery(
                "unknown operator \(name)", details: "Known are eq, neq, gt, gte, lt, lte, like, ilike, is and in.")
        }
        if comparison == .like || comparison == .ilike {
            let wildcards = value.utf8.count { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "%") }
            guard wildcards <= wildcardLimit else {
                throw .badQuery("a pattern has more than \(wildcardLimit) wildcards")
            }
        }
        return .compare(column: column, comparison, value)
    }

    private static func list(_ scanner: inout TextScanner) throws(APIError) -> [String] {
        guard scanner.skip("(") else { throw .badQuery("in takes a list in parentheses") }
        if scanner.skip(")") { return [] }
        var values: [String] = []
        repeat {
            guard values.count < listLimit else { throw .badQuery("a list has more than \(listLimit) values") }
            guard let value = scanner.value(endingAt: [",", ")"]) else { throw .badQuery("a quote is not closed") }
            values.append(value)
        } while scanner.skip(",")
        guard scanner.skip(")") else { throw .badQuery("failed to parse the list: ) is missing") }
        return values
    }
}
