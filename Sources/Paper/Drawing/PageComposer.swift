import CPangoCairo

/// Lays a document out on pages.
struct PageComposer {
    /// A file that nobody meant would fill the disk.
    static let mostPages = 500

    let document: PaperDocument
    let format: PaperFormat
    let texts: TextContext
    let pictures: PictureShelf

    /// Between two blocks.
    private var gap: Double { format.fontPoints * 0.55 }

    /// For the foot of a page, with the room above it.
    private var footHeight: Double { format.height == nil ? 0 : format.fontPoints * 2 }

    /// What stands on each page, from its upper edge on in points, and how high the page is.
    func pages() throws(PaperError) -> (pages: [[Placed]], height: Double) {
        let pieces = try pieces()
        guard let height = format.height else {
            var y = format.margin
            var page: [Placed] = []
            for piece in pieces {
                y += page.isEmpty ? 0 : piece.spaceBefore
                page.append(Placed(y: y, draw: piece.draw))
                y += piece.height
            }
            return ([page], y + format.margin)
        }
        return (try paginate(pieces, height: height), height)
    }

    private func paginate(_ pieces: [Piece], height: Double) throws(PaperError) -> [[Placed]] {
        let bottom = height - format.margin - footHeight
        var pages: [[Placed]] = [[]]
        var y = format.margin
        for (index, piece) in pieces.enumerated() {
            let isFirst = pages[pages.count - 1].isEmpty
            // What stays with the next one counts with it, as far as that can be had on a page at all.
            var wanted = piece.height
            var last = index
            while pieces[last].staysWithNext, last + 1 < pieces.count {
                last += 1
                wanted += pieces[last].spaceBefore + pieces[last].height
            }
            if wanted > bottom - format.margin { wanted = piece.height }
            if !isFirst, y + piece.spaceBefore + wanted > bottom {
                guard pages.count < Self.mostPages else { throw .tooLong(pages: pages.count + 1) }
                pages.append([])
                y = format.margin
                if let header = piece.header {
                    pages[pages.count - 1].append(Placed(y: y, draw: header.draw))
                    y += header.height
                }
            } else if !isFirst {
                y += piece.spaceBefore
            }
            guard y + piece.height <= bottom + 0.01 else { throw .tooHigh }
            pages[pages.count - 1].append(Placed(y: y, draw: piece.draw))
            y += piece.height
        }
        return pages
    }

    /// Draws the foot of a page.
    func drawFoot(on canvas: OpaquePointer, page: Int, of pages: Int) {
        guard let height = format.height else { return }
        let y = height - format.margin - format.fontPoints
        if let foot = document.foot {
            texts.layout(PaperText(foot, scale: 0.8), width: format.lineWidth).draw(on: canvas, x: format.margin, y: y)
        }
        texts.layout(
            PaperText(document.number(page, pages), scale: 0.8), width: format.lineWidth, .trailing
        ).draw(on: canvas, x: format.margin, y: y)
    }

    private func pieces() throws(PaperError) -> [Piece] {
        var pieces: [Piece] = []
        for block in document.blocks {
            var made: [Piece]
            switch block {
            case .title(let text):
                made = paragraph(text.scaled(1.7).inBold, .leading, staysWithNext: true)
            case .heading(let text): made = paragraph(text.scaled(1.15).inBold, .leading, staysWithNext: true)
            case .paragraph(let text, let alignment): made = paragraph(text, alignment)
            case .table(let table): made = rows(of: table)
            case .pictures(let list, let heightMm):
                made = try rows(of: list, height: PaperFormat.points(heightMm))
            case .signatures(let names): made = signatures(names)
            case .rule:
                made = [
                    Piece(height: 0.5) { [width = format.lineWidth] canvas, x, y in
                        Self.line(on: canvas, from: x, to: x + width, y: y)
                    }
                ]
            case .space(let mm): made = [Piece(height: PaperFormat.points(mm)) { _, _, _ in }]
            }
            if !made.isEmpty { made[0].spaceBefore += gap }
            pieces += made
        }
        return pieces
    }

    private func paragraph(
        _ text: PaperText, _ alignment: PaperTable.Alignment, staysWithNext: Bool = false
    ) -> [Piece] {
        let layout = texts.layout(text, width: format.lineWidth, alignment)
        let lines = layout.lines
        return lines.indices.map { index in
            Piece(height: lines[index].height, staysWithNext: staysWithNext) { canvas, x, y in
                layout.draw(index, of: lines, on: canvas, x: x, y: y)
            }
        }
    }

    static func line(on canvas: OpaquePointer, from left: Double, to right: Double, y: Double) {
        cairo_set_line_width(canvas, 0.5)
        cairo_move_to(canvas, left, y)
        cairo_line_to(canvas, right, y)
        cairo_stroke(canvas)
    }
}

extension PaperText {
    fileprivate func scaled(_ scale: Double) -> PaperText {
        var text = self
        for index in text.runs.indices { text.runs[index].scale *= scale }
        return text
    }

    fileprivate var inBold: PaperText {
        var text = self
        for index in text.runs.indices { text.runs[index].isBold = true }
        return text
    }
}
