/// A table for people: columns as wide as their widest cell, two spaces apart.
///
/// On a terminal that is too narrow it goes without its optional columns.
struct TextTable {
    enum Align {
        case left
        case right
    }

    private let headers: [String]
    private let aligns: [Align]
    private let optional: [String]
    private var rows: [[String]] = []

    /// - Parameter optional: the columns that can be missed, the least needed one first.
    init(_ columns: [(String, Align)], optional: [String] = []) {
        headers = columns.map(\.0)
        aligns = columns.map(\.1)
        self.optional = optional
    }

    mutating func add(_ cells: [String]) {
        // A control character in a record must not reach the terminal.
        rows.append(
            cells.map { cell in
                String(
                    String.UnicodeScalarView(
                        cell.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
            })
    }

    var text: String { format([headers] + rows) }

    /// The rows without the headers.
    var body: String { format(rows) }

    private func format(_ rows: [[String]]) -> String {
        let widths = headers.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        var columns = Array(headers.indices)
        if let room = Output.terminalWidth {
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
