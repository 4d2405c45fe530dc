/// Rows of cells. A row stays together; where a table goes on on another page its header stands there again.
package struct PaperTable: Sendable, Equatable {
    package enum Alignment: Sendable, Equatable {
        case leading
        case centre
        case trailing
    }

    package struct Column: Sendable, Equatable {
        /// Its share of the width, beside those of the other columns.
        package var share: Double
        package var alignment: Alignment

        package init(share: Double = 1, _ alignment: Alignment = .leading) {
            self.share = share
            self.alignment = alignment
        }
    }

    package let columns: [Column]
    package let header: [PaperText]?
    package let rows: [[PaperText]]

    /// A row with fewer cells than columns ends with empty ones. None may have more.
    package init(columns: [Column], header: [PaperText]? = nil, rows: [[PaperText]]) {
        precondition(!columns.isEmpty && columns.allSatisfy { $0.share > 0 }, "a table needs columns with a width")
        precondition(([header ?? []] + rows).allSatisfy { $0.count <= columns.count }, "a row with too many cells")
        self.columns = columns
        self.header = header
        self.rows = rows
    }
}
