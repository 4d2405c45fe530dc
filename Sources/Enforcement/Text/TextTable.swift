/// A table for people: columns as wide as their widest cell, two spaces apart.
///
/// Where there is too little room it goes without its optional columns.
package struct TextTable {
    package enum Align {
        case left
        case right
    }

    private let headers: [String]
    private let aligns: [Align]
    private let optional: [String]
    private var rows: [[String]] = []

    /// - Parameter optional: the columns that can be missed, the least needed one first.
    package init(_ columns: [(String, Align)], optional: [String] = []) {
        headers = columns.map(\.0)
        aligns = columns.map(\.1)
        self.optional = optional
    }

    package mutating func add(_ cells: [String]) {
        // A control character in a record must not reach the terminal.
        rows.append(
            cells.map { cell in
                String(
                    String.UnicodeScalarView(
                        cell.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
            })
    }

    /// - Parameter room: how many columns a line may have; nil for any number.
    package func text(within room: Int? = nil) -> String { format([headers] + rows, within: room) }

    /// The rows without the headers.
    package func body(within room: Int? = nil) -> String { format(rows, within: room) }

    private func format(_ rows: [[String]], within room: Int?) -> String {
        let widths = headers.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        var columns = Array(headers.indices)
        if let room {
            for name in optional where columns.reduce(-2, { $0 + widths[$1] + 2 }) > room {
                columns.removeAll { headers[$0] == name }
            }
        }
        return rows.map { row in
            let cells = columns.map { column -> String in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return aligns[column] == .left ? row[column] + padding : padding + row[column]
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
