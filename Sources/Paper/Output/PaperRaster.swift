import CPangoCairo
import Foundation

/// Dots that are black or white, as a receipt printer burns them.
package struct PaperRaster: Sendable, Equatable {
    /// In dots; always a multiple of eight.
    package let width: Int
    package let height: Int

    /// Row after row, eight dots a byte, the leftmost is the highest bit, 1 is black.
    package let rows: [UInt8]

    package var bytesPerRow: Int { width / 8 }

    package func isBlack(x: Int, y: Int) -> Bool { rows[y * bytesPerRow + x / 8] & (0x80 >> UInt8(x % 8)) != 0 }
}

extension PaperDocument {
    /// The longest strip that is printed, in millimetres: a metre and a half.
    private static let longestMm = 1500.0

    /// The document on one long page.
    ///
    /// - Parameter dotsPerMm: 8 for nearly every receipt printer (203 dots an inch).
    /// - Throws: `PaperError.badPicture` for a JPEG: pictures have to be decoded.
    package func raster(on format: PaperFormat, dotsPerMm: Double = 8) throws(PaperError) -> PaperRaster {
        let composer = PageComposer(
            document: self, format: format,
            texts: try TextContext(language: language, fontPoints: format.fontPoints, isPrinted: true),
            pictures: PictureShelf(takesFiles: false))
        let (pages, points) = try composer.pages()
        guard pages.count == 1, points <= PaperFormat.points(Self.longestMm) else { throw .tooHigh }
        let dots = PaperFormat.points(1 / dotsPerMm)
        let width = Int((format.width / dots).rounded()) / 8 * 8
        let height = max(1, Int((points / dots).rounded(.up)))
        let surface = try PictureShelf.checked(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        cairo_set_source_rgb(canvas, 1, 1, 1)
        cairo_paint(canvas)
        cairo_scale(canvas, 1 / dots, 1 / dots)
        cairo_set_antialias(canvas, CAIRO_ANTIALIAS_NONE)
        cairo_set_source_rgb(canvas, 0, 0, 0)
        for placed in pages[0] { placed.draw(canvas, format.margin, placed.y) }
        cairo_surface_flush(surface.pointer)
        guard cairo_status(canvas) == CAIRO_STATUS_SUCCESS, let pixels = cairo_image_surface_get_data(surface.pointer)
        else { throw .drawing(String(cString: cairo_status_to_string(cairo_status(canvas)))) }
        return Self.dithered(
            pixels, stride: Int(cairo_image_surface_get_stride(surface.pointer)), width: width, height: height)
    }

    /// Shades become patterns of dots: what a dot is too dark or too light goes to its neighbours (Floyd and Steinberg). Text is
    /// black and white already and stays as it is.
    private static func dithered(
        _ pixels: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int
    ) -> PaperRaster {
        var rows = [UInt8](repeating: 0, count: width / 8 * height)
        // What is passed on to this row and to the next, with a place to spare at both sides.
        var here = [Int](repeating: 0, count: width + 2)
        var below = here
        for y in 0..<height {
            let row = UnsafeRawPointer(pixels + y * stride).assumingMemoryBound(to: UInt32.self)
            for x in 0..<width {
                let wanted = Int(row[x] & 0xFF) + here[x + 1] / 16
                let isBlack = wanted < 128
                if isBlack { rows[(y * width + x) / 8] |= 0x80 >> UInt8(x % 8) }
                let rest = wanted - (isBlack ? 0 : 255)
                here[x + 2] += rest * 7
                below[x] += rest * 3
                below[x + 1] += rest * 5
                below[x + 2] += rest
            }
            here = below
            below = [Int](repeating: 0, count: width + 2)
        }
        return PaperRaster(width: width, height: height, rows: rows)
    }
}
