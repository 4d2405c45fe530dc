import CPangoCairo
import Foundation

/// The pictures of a document as the drawing library takes them, each once.
final class PictureShelf {
    /// Freed with the last who holds it.
    final class Surface {
        let pointer: OpaquePointer
        fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { cairo_surface_destroy(pointer) }
    }

    /// Whether a file can be drawn without decoding it: a PDF takes a JPEG as it is.
    private let takesFiles: Bool
    private var files: [Data: Surface] = [:]

    init(takesFiles: Bool) { self.takesFiles = takesFiles }

    func surface(of picture: PaperPicture) throws(PaperError) -> Surface {
        switch picture.content {
        case .gray(let pixels): return try Self.gray(pixels, width: picture.width, height: picture.height)
        case .file(let data):
            if let known = files[data] { return known }
            let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47])
            guard isPNG || (takesFiles && data.starts(with: [0xFF, 0xD8])) else { throw .badPicture }
            let surface = try isPNG ? Self.png(data) : Self.jpeg(data, width: picture.width, height: picture.height)
            files[data] = surface
            return surface
        }
    }

    /// The pixels of the surface are never looked at: the file stands in their place.
    private static func jpeg(_ data: Data, width: Int, height: Int) throws(PaperError) -> Surface {
        let surface = try checked(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: data.count)
        data.copyBytes(to: copy, count: data.count)
        let status = cairo_surface_set_mime_data(
            surface.pointer, CAIRO_MIME_TYPE_JPEG, copy, UInt(data.count),
            { $0?.deallocate() }, copy)
        guard status == CAIRO_STATUS_SUCCESS else {
            copy.deallocate()
            throw .drawing(String(cString: cairo_status_to_string(status)))
        }
        return surface
    }

    private static func png(_ data: Data) throws(PaperError) -> Surface {
        let reader = Reader(data)
        let pointer = cairo_image_surface_create_from_png_stream(
            { reader, bytes, count in
                guard let reader, let bytes else { return CAIRO_STATUS_READ_ERROR }
                return Unmanaged<Reader>.fromOpaque(reader).takeUnretainedValue().read(bytes, Int(count))
                    ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR
            }, Unmanaged.passUnretained(reader).toOpaque())
        return try withExtendedLifetime(reader) { () throws(PaperError) in try checked(pointer) }
    }

    private static func gray(_ pixels: [UInt8], width: Int, height: Int) throws(PaperError) -> Surface {
        let surface = try checked(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
        guard let rows = cairo_image_surface_get_data(surface.pointer) else { throw .badPicture }
        let stride = Int(cairo_image_surface_get_stride(surface.pointer))
        for y in 0..<height {
            let row = UnsafeMutableRawPointer(rows + y * stride).assumingMemoryBound(to: UInt32.self)
            for x in 0..<width { row[x] = UInt32(pixels[y * width + x]) * 0x01_0101 }
        }
        cairo_surface_mark_dirty(surface.pointer)
        return surface
    }

    /// Asking for a surface gives one with an error in it, never none.
    static func checked(_ pointer: OpaquePointer?) throws(PaperError) -> Surface {
        guard let pointer else { throw .drawing("no surface") }
        let surface = Surface(pointer)
        let status = cairo_surface_status(pointer)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw status == CAIRO_STATUS_READ_ERROR || status == CAIRO_STATUS_PNG_ERROR
                ? .badPicture : .drawing(String(cString: cairo_status_to_string(status)))
        }
        return surface
    }

    private final class Reader {
        private let data: Data
        private var position: Int

        init(_ data: Data) {
            self.data = data
            position = data.startIndex
        }

        func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
            guard data.endIndex - position >= count else { return false }
            data.copyBytes(to: bytes, from: position..<position + count)
            position += count
            return true
        }
    }
}
