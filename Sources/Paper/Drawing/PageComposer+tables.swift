import CPangoCairo

extension PageComposer {
    /// A piece for each row. A table without a header is a list of facts: its lines are as light as it gets.
    func rows(of table: PaperTable) -> [Piece] {
        var header: Piece.Header?
        var pieces: [Piece] = []
        if let cells = table.header {
            let row = row(cells.map(\.inBoldCell), of: table, isHeader: true)
            header = Piece.Header(height: row.height, draw: row.draw)
            pieces.append(row)
            pieces[0].staysWithNext = true
        }
        for cells in table.rows {
            var row = row(cells, of: table, isHeader: false)
            row.header = header
            pieces.append(row)
        }
        return pieces
    }

    private func row(_ cells: [PaperText], of table: PaperTable, isHeader: Bool) -> Piece {
        let padding = format.fontPoints * 0.22
        let between = format.fontPoints * 0.6
        let shares = table.columns.map(\.share).reduce(0, +)
        let free = format.lineWidth - between * Double(table.columns.count - 1)
        var drawn: [(x: Double, layout: TextLayout)] = []
        var x = 0.0
        for (column, cell) in zip(table.columns, cells) {
            let width = free * column.share / shares
            drawn.append((x, texts.layout(cell, width: width, column.alignment)))
            x += width + between
        }
        let height = (drawn.map(\.layout.height).max() ?? 0) + 2 * padding
        let width = format.lineWidth
        return Piece(height: height) { canvas, x, y in
            for cell in drawn { cell.layout.draw(on: canvas, x: x + cell.x, y: y + padding) }
            cairo_save(canvas)
            let shade = isHeader ? 0.0 : 0.75
            cairo_set_source_rgb(canvas, shade, shade, shade)
            Self.line(on: canvas, from: x, to: x + width, y: y + height)
            cairo_restore(canvas)
        }
    }

    /// Lines to sign on, beside each other, or below each other on a roll.
    func signatures(_ names: [String]) -> [Piece] {
        let room = PaperFormat.points(12)
        let beside = Beside(names.count, on: format, between: format.fontPoints * 2)
        var pieces: [Piece] = []
        for row in beside.rows(names) {
            let drawn = row.map { texts.layout(PaperText($0, scale: 0.85), width: beside.width) }
            pieces.append(
                Piece(height: room + (drawn.map(\.height).max() ?? 0) + 2) { canvas, x, y in
                    for (index, layout) in drawn.enumerated() {
                        let left = x + beside.x(index)
                        Self.line(on: canvas, from: left, to: left + beside.width, y: y + room)
                        layout.draw(on: canvas, x: left, y: y + room + 2)
                    }
                })
        }
        return pieces
    }
}

extension PaperText {
    fileprivate var inBoldCell: PaperText {
        PaperText(plain, isBold: true, scale: runs.first?.scale ?? 1)
    }
}
