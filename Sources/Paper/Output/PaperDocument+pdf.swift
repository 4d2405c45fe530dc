import CPangoCairo
import Foundation

extension PaperDocument {
    /// A PDF. Text in it can be searched; a JPEG stands in it byte for byte.
    ///
    /// It takes tenths of a second and blocks its thread for as long.
    ///
    /// - Throws: `PaperError`, also for a format without a height.
    package func pdf(on format: PaperFormat) throws(PaperError) -> Data {
        let composer = PageComposer(
            document: self, format: format,
            texts: try TextContext(language: language, fontPoints: format.fontPoints, isPrinted: false),
            pictures: PictureShelf(takesFiles: true))
        let (pages, height) = try composer.pages()
        let sink = Sink()
        let surface = try PictureShelf.checked(
            cairo_pdf_surface_create_for_stream(
                { sink, bytes, count in
                    guard let sink, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
                    Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().data.append(bytes, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, Unmanaged.passUnretained(sink).toOpaque(), format.width, height))
        defer { withExtendedLifetime(sink) { cairo_surface_finish(surface.pointer) } }
        cairo_pdf_surface_set_metadata(surface.pointer, CAIRO_PDF_METADATA_TITLE, title)
        cairo_pdf_surface_set_metadata(surface.pointer, CAIRO_PDF_METADATA_CREATE_DATE, writtenAt.ISO8601Format())
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        for (index, page) in pages.enumerated() {
            cairo_set_source_rgb(canvas, 0, 0, 0)
            for placed in page { placed.draw(canvas, format.margin, placed.y) }
            composer.drawFoot(on: canvas, page: index + 1, of: pages.count)
            cairo_show_page(canvas)
        }
        // The rest of the file is written here.
        cairo_surface_finish(surface.pointer)
        for status in [cairo_status(canvas), cairo_surface_status(surface.pointer)]
        where status != CAIRO_STATUS_SUCCESS {
            throw .drawing(String(cString: cairo_status_to_string(status)))
        }
        return sink.data
    }

    private final class Sink {
        var data = Data()
    }
}
