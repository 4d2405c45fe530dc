/// What stays together on a page: a line of a paragraph, a row of a table, a row of pictures.
struct Piece {
    /// In points.
    var height: Double

    /// Left out at the top of a page.
    var spaceBefore = 0.0

    /// Whether it stays on the page of the next one.
    var staysWithNext = false

    /// Stands again at the top of a page on which its table goes on.
    var header: Header?

    /// Draws it with its upper left corner there.
    var draw: (_ canvas: OpaquePointer, _ x: Double, _ y: Double) -> Void

    struct Header {
        let height: Double
        let draw: (_ canvas: OpaquePointer, _ x: Double, _ y: Double) -> Void
    }
}

/// A piece at its place.
struct Placed {
    let y: Double
    let draw: (_ canvas: OpaquePointer, _ x: Double, _ y: Double) -> Void
}
