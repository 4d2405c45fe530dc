import CLeptonica
import Foundation

/// Makes pictures small enough to be sent.
package enum PhotoEncoder {
    /// Below this quality a plate's small letters suffer more than from fewer pixels.
    private static let qualities: [Int32] = [85, 70, 55]

    /// Each round has half as many pixels as the one before.
    private static let maximumRounds = 8

    /// A picture as a JPEG in colour of at most so many bytes: at less quality first, then with fewer pixels.
    ///
    /// - Throws: `ImageError`; `damaged` when it can't be made that small.
    package static func jpeg(of picture: Data, maximumBytes: Int) throws(ImageError) -> Data {
        let (decoded, damaged) = try UprightPicture.decode(picture)
        var pix: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&pix) }
        for _ in 0..<maximumRounds {
            guard let current = pix else { break }
            for quality in qualities {
                if let data = encode(current, quality: quality), data.count <= maximumBytes { return data }
            }
            // 0.7 of each side is half of the pixels.
            let smaller = pixScaleAreaMap(current, 0.7, 0.7) ?? pixScale(current, 0.7, 0.7)
            pixDestroy(&pix)
            pix = smaller
        }
        throw damaged
    }

    /// Leptonica encodes 8-bit gray and 32-bit colour; anything else is made one of them first.
    private static func encode(_ pix: UnsafeMutablePointer<Pix>, quality: Int32) -> Data? {
        let isReady = pixGetColormap(pix) == nil && [8, 32].contains(pixGetDepth(pix))
        var converted: UnsafeMutablePointer<Pix>? = isReady ? pixClone(pix) : pixConvertTo32(pix)
        defer { pixDestroy(&converted) }
        guard let converted else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(bytes) }
        guard pixWriteMemJpeg(&bytes, &count, converted, quality, 0) == 0, let bytes, count > 0 else { return nil }
        return Data(bytes: bytes, count: count)
    }
}
