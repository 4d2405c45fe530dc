/// A table for people: columns as wide as their widest cell, two spaces apart.
struct TextTable {
    enum Align {
        case left
        case right
    }

    private let headers: [String]
    private let aligns: [Align]
    private var rows: [[String]] = []

    init(_ columns: [(String, Align)]) {
        headers = columns.map(\.0)
        aligns = columns.map(\.1)
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    var text: String { format([headers] + rows) }

    /// The rows without the headers.
    var body: String { format(rows) }

    private func format(_ rows: [[String]]) -> String {
        let widths = headers.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.indices.map { column -> String in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return aligns[column] == .left ? row[column] + padding : padding + row[column]
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
