import Enforcement
import Foundation

/// Which rows of a table, which of their columns, in which order: PostgREST's query, written by the table's own columns.
///
/// ```
/// RowQuery<PassageColumn>().whose(.checkpost, .differsFrom(own)).whose(.match, .isNull).telling([.id, .plate])
/// ```
package struct RowQuery<Column: TableColumn>: Sendable {
    /// In the order in which they were given.
    package private(set) var items: [(String, String)] = []

    package init() {}

    package var path: String { Column.table.path }

    package func whose(_ column: Column, _ condition: RowCondition) -> Self {
        adding(column.rawValue, condition.text)
    }

    package func telling(_ columns: [Column]) -> Self {
        adding("select", Self.list(columns))
    }

    /// All columns: for a table whose columns differ from server to server.
    package func tellingAll() -> Self { adding("select", "*") }

    package func inOrder(of columns: [Column]) -> Self {
        adding("order", columns.map { "\($0.rawValue).asc" }.joined(separator: ","))
    }

    package func limited(to most: Int) -> Self { adding("limit", String(most)) }
    package func skipping(_ count: Int) -> Self { adding("offset", String(count)) }

    /// By which columns an insert finds the row that is there already.
    package func onConflict(_ columns: [Column]) -> Self {
        adding("on_conflict", Self.list(columns))
    }

    private static func list(_ columns: [Column]) -> String { columns.map(\.rawValue).joined(separator: ",") }

    private func adding(_ name: String, _ value: String) -> Self {
        var query = self
        query.items.append((name, value))
        return query
    }
}

/// What a column has to be.
package enum RowCondition: Sendable, Equatable {
    case equals(String)
    case differsFrom(String)
    case isAmong([String])
    case isNull
    case isTrue
    case isAbove(String)
    case isAtLeast(String)
    case isBelow(String)

    package static func equals(_ id: UUID) -> Self { .equals(id.sent) }
    package static func isAmong(_ ids: [UUID]) -> Self { .isAmong(ids.map(\.sent)) }
    package static func isAtLeast(_ time: Instant) -> Self { .isAtLeast(time.iso8601) }
    package static func isBefore(_ time: Instant) -> Self { .isBelow(time.iso8601) }

    var text: String {
        switch self {
        case .equals(let value): "eq.\(value)"
        case .differsFrom(let value): "neq.\(value)"
        case .isAmong(let values): "in.(\(values.joined(separator: ",")))"
        case .isNull: "is.null"
        case .isTrue: "is.true"
        case .isAbove(let value): "gt.\(value)"
        case .isAtLeast(let value): "gte.\(value)"
        case .isBelow(let value): "lt.\(value)"
        }
    }
}

/// How a write answers, and what becomes of rows that are there: the field `Prefer`.
package enum RowPreference: String, Sendable {
    case tellRows = "return=representation"
    case tellRowsAndSkipKnown = "return=representation,resolution=ignore-duplicates"
    case skipKnown = "return=minimal,resolution=ignore-duplicates"
    case replaceKnown = "return=minimal,resolution=merge-duplicates"

    package static let field = "Prefer"
}
