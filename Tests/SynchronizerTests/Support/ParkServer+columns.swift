import Foundation
import ParkAPI

/// The tables are kept by their names and the rows by their columns' names, as they come over the wire; the names are the contract's.
extension [String: Any] {
    subscript(_ column: some TableColumn) -> Any? {
        get { self[column.rawValue] }
        set { self[column.rawValue] = newValue }
    }

    func text(_ column: some TableColumn) -> String? { self[column] as? String }

    init<Column: TableColumn>(cells: [Column: Any]) {
        self.init(uniqueKeysWithValues: cells.map { ($0.key.rawValue, $0.value) })
    }
}

extension ParkServer {
    func rows(_ table: Table) -> [Row] { rows(table.rawValue) }

    @discardableResult
    func insert<Column: TableColumn>(_ cells: [Column: Any]) -> String {
        insert(Column.table.rawValue, Row(cells: cells))
    }

    func change<Column: TableColumn>(id: String, _ cells: [Column: Any]) {
        change(Column.table.rawValue, id: id, Row(cells: cells))
    }

    /// The rows of a table that don't fulfil a condition stay.
    func removeRows(_ table: Table, where isGone: (Row) -> Bool) { tables[table.rawValue]?.removeAll(where: isGone) }
}
