import CTurboJPEG
import Enforcement
import Foundation
import ParkAPI
import PictureHeader

/// Makes a small JPEG of a large one, in bounded memory and time, whatever the bytes are.
enum SmallPicture {
    enum Cut: Sendable, Equatable {
        /// All of it, with fewer pixels.
        case whole
        /// The plate with what is around it, with all its pixels.
        case plate(PlatePlace)
    }

    /// The longer side has at least so many pixels, and less than twice as many.
    private static let side = 480
    private static let quality: Int32 = 75

    /// No camera of a post takes more, and a decoder of an unusual picture holds all of it.
    private static let mostPixels = 25_000_000
    private static let mostHeldPixels = 12_000_000
    /// An ordinary progressive picture has ten.
    private static let mostScans = 20

    /// - Returns: nil where none can be made.
    static func made(of photo: Data, _ cut: Cut) -> Data? {
        guard photo.starts(with: [0xff, 0xd8]) else { return nil }
        let header = JPEGHeader(photo)
        let pixels = header.width * header.height
        guard !header.isExotic, header.scans <= mostScans, pixels > 0, pixels <= mostPixels else { return nil }
        switch cut {
        case .whole:
            guard !header.needsCoefficients || pixels <= mostHeldPixels else { return nil }
            return smaller(photo, header)
        case .plate(let place):
            // Where the plate stands is said of the picture as it is shown, upright.
            guard pixels <= mostHeldPixels, header.orientation == 1, place.width == header.width,
                place.height == header.height
            else { return nil }
            return cropped(photo, to: place.view)
        }
    }

    /// Whether it has a JPEG's beginning and its end.
    static func isWhole(_ picture: Data) -> Bool {
        picture.starts(with: [0xff, 0xd8]) && picture.suffix(2) == Data([0xff, 0xd9])
    }

    /// Decoded at a fraction of its size, which takes a small part of the whole time, and encoded again.
    private static func smaller(_ photo: Data, _ header: JPEGHeader) -> Data? {
        let longer = max(header.width, header.height)
        guard let divisor = [8, 4, 2].first(where: { longer / $0 >= side }), let decoder = tjInitDecompress(),
            let encoder = tjInitCompress()
        else { return nil }
        defer {
            tjDestroy(decoder)
            tjDestroy(encoder)
        }
        let (width, height) = ((header.width + divisor - 1) / divisor, (header.height + divisor - 1) / divisor)
        var colours = [UInt8](repeating: 0, count: width * height * 3)
        let failed = photo.withUnsafeBytes { bytes in
            tjDecompress2(
                decoder, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &colours, Int32(width), 0,
                Int32(height), Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
        }
        // What the decoder had to make up is not shown as if it were the picture.
        guard failed == 0 else { return nil }
        var made: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(made) }
        guard
            tjCompress2(
                encoder, &colours, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &made, &count,
                Int32(TJSAMP_420.rawValue), quality, 0) == 0, let made
        else { return nil }
        return turned(Data(bytes: made, count: Int(count)), header.orientation)
    }

    /// The blocks of the picture that the box touches, as they are stored: nothing is decoded and nothing is lost.
    private static func cropped(_ photo: Data, to box: Box) -> Data? {
        guard let handle = tjInitTransform() else { return nil }
        defer { tjDestroy(handle) }
        return photo.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            guard tjDecompressHeader3(handle, start, UInt(bytes.count), &width, &height, &sampling, &space) == 0,
                let block = blocks[sampling]
            else { return nil }
            let (x, y) = (box.x / block.width * block.width, box.y / block.height * block.height)
            var transform = tjtransform()
            transform.r = tjregion(
                x: Int32(x), y: Int32(y), w: Int32(box.x - x + box.width), h: Int32(box.y - y + box.height))
            transform.op = Int32(TJXOP_NONE.rawValue)
            transform.options = TJXOPT_CROP | TJXOPT_COPYNONE
            var made: UnsafeMutablePointer<UInt8>?
            var count: UInt = 0
            defer { tjFree(made) }
            guard tjTransform(handle, start, UInt(bytes.count), 1, &made, &count, &transform, TJFLAG_LIMITSCANS) == 0,
                let made
            else { return nil }
            return Data(bytes: made, count: Int(count))
        }
    }

    /// A cut begins where a block does: so many pixels each has, by how the colours are stored.
    private static let blocks: [Int32: (width: Int, height: Int)] = [
        Int32(TJSAMP_444.rawValue): (8, 8), Int32(TJSAMP_GRAY.rawValue): (8, 8), Int32(TJSAMP_422.rawValue): (16, 8),
        Int32(TJSAMP_420.rawValue): (16, 16), Int32(TJSAMP_440.rawValue): (8, 16), Int32(TJSAMP_411.rawValue): (32, 8),
    ]

    /// With a segment that says how the camera was held, where it was not held upright: whoever shows the large one turns it too.
    private static func turned(_ picture: Data, _ orientation: Int) -> Data {
        guard orientation > 1 else { return picture }
        // Exif: the word, a directory at 8 with one entry (orientation, a short), and no other directory.
        let exif: [UInt8] =
            Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0] + [0, 0, 0, 0]
        return picture.prefix(2) + Data([0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif) + picture.dropFirst(2)
    }
}

extension SmallPicture.Cut {
    /// - Parameter plate: where it stands, as the post said it. Nil where the photo itself is wanted, or where nobody knows the plate.
    init?(_ form: PhotoHandler.Form, plate: String?) {
        switch form {
        case .whole: return nil
        case .small: self = .whole
        case .plate:
            guard let place = plate.flatMap(PlatePlace.init(sent:)) else { return nil }
            self = .plate(place)
        }
    }
}
