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
        let (width, height, format) = try ImageDecoder.size(of: picture)
        guard width <= ImageDecoder.maximumPixels / height else { throw .tooLarge(width: width, height: height) }
        let decoded = picture.withUnsafeBytes { pixReadMem($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let decoded else { throw .damaged(format: ImageDecoder.name(ofFormat: format)) }
        var pix: UnsafeMutablePointer<Pix>? = upright(decoded, orientation: JPEGHeader(picture).orientation)
        defer { pixDestroy(&pix) }
        for _ in 0..<maximumRounds {
            guard let current = pix else { break }
            for quality in qualities {
                if let data = encode(current, quality: quality), data.count <= maximumBytes { return data }
            }
            let smaller = pixScaleAreaMap(current, 0.7, 0.7) ?? pixScale(current, 0.7, 0.7)
            pixDestroy(&pix)
            pix = smaller
        }
        throw .damaged(format: ImageDecoder.name(ofFormat: format))
    }

    /// Turns a picture as its header says, since the header is not written again. Mirrored ones stay as they are.
    static func upright(_ pix: UnsafeMutablePointer<Pix>, orientation: Int) -> UnsafeMutablePointer<Pix> {
        let quarterTurns: [Int: Int32] = [3: 2, 6: 1, 8: 3]
        guard let turns = quarterTurns[orientation], let turned = pixRotateOrth(pix, turns) else {
            return pix
        }
        var old: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&old)
        return turned
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
