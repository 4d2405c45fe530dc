import CPangoCairo

extension PageComposer {
    /// A piece for each row of pictures.
    func rows(of pictures: [PaperPicture], height most: Double) throws(PaperError) -> [Piece] {
        let beside = Beside(pictures.count, on: format, between: format.fontPoints * 0.6)
        var pieces: [Piece] = []
        for row in beside.rows(pictures) {
            var drawn: [DrawnPicture] = []
            for picture in row {
                let scale = min(beside.width / Double(picture.shown.width), most / Double(picture.shown.height))
                drawn.append(
                    DrawnPicture(
                        picture: picture, surface: try self.pictures.surface(of: picture), scale: scale,
                        caption: picture.caption.map { texts.layout($0, width: beside.width) }))
            }
            let height = drawn.map(\.height).max() ?? 0
            var piece = Piece(height: height) { canvas, x, y in
                for (index, one) in drawn.enumerated() {
                    one.draw(on: canvas, x: x + beside.x(index), y: y)
                }
            }
            piece.spaceBefore = pieces.isEmpty ? 0 : format.fontPoints * 0.6
            pieces.append(piece)
        }
        return pieces
    }
}

/// A picture with its size on paper.
private struct DrawnPicture {
    let picture: PaperPicture
    let surface: PictureShelf.Surface

    /// Points a pixel.
    let scale: Double
    let caption: TextLayout?

    private var pictureHeight: Double { Double(picture.shown.height) * scale }
    var height: Double { pictureHeight + (caption.map { $0.height + 3 } ?? 0) }

    func draw(on canvas: OpaquePointer, x: Double, y: Double) {
        let part = picture.shown
        cairo_save(canvas)
        cairo_rectangle(canvas, x, y, Double(part.width) * scale, pictureHeight)
        cairo_clip(canvas)
        cairo_translate(canvas, x, y)
        cairo_scale(canvas, scale, scale)
        cairo_set_source_surface(canvas, surface.pointer, -Double(part.x), -Double(part.y))
        cairo_pattern_set_filter(cairo_get_source(canvas), CAIRO_FILTER_GOOD)
        cairo_paint(canvas)
        cairo_restore(canvas)
        caption?.draw(on: canvas, x: x, y: y + pictureHeight + 3)
    }
}
