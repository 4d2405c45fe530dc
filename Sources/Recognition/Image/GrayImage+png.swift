import CLeptonica
import Foundation

extension GrayImage {
    /// The picture as a PNG file's bytes; nil when there is no memory for it.
    package var png: Data? {
        var created = pixCreate(Int32(width), Int32(height), 8)
        defer { pixDestroy(&created) }
        guard let pix = created, let words = pixGetData(pix) else { return nil }
        let wordsPerLine = Int(pixGetWpl(pix))
        pixels.withUnsafeBytes { source in
            for y in 0..<height {
                let row = UnsafeMutableRawBufferPointer(start: words + y * wordsPerLine, count: wordsPerLine * 4)
                row.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[y * width..<(y + 1) * width]))
            }
        }
        // Words hold four pixels, the leftmost in the highest byte.
        pixEndianByteSwap(pix)
        return pngData(pix)
    }
}

/// A Pix as a PNG file's bytes.
func pngData(_ pix: UnsafeMutablePointer<Pix>) -> Data? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    defer { free(bytes) }
    guard pixWriteMemPng(&bytes, &count, pix, 0) == 0, let bytes, count > 0 else { return nil }
    return Data(bytes: bytes, count: count)
}
