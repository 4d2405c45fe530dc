import CLeptonica
import Foundation

/// A picture that Leptonica decoded: everything that isn't a usual JPEG.
struct PixPicture: ~Copyable {
    private let pix: UnsafeMutablePointer<Pix>

    /// Whether the decoder made up for something that it missed.
    let hasComplaint: Bool

    /// Nil for what can't be decoded.
    ///
    /// - Parameter reduction: 1, 2, 4 or 8: a JPEG is decoded at this fraction of its size.
    init?(_ data: Data, isJPEG: Bool, reduction: Int) {
        var warnings: Int32 = 0
        let decoded = data.withUnsafeBytes { bytes -> UnsafeMutablePointer<Pix>? in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            guard isJPEG else { return pixReadMem(start, bytes.count) }
            return pixReadMemJpeg(start, bytes.count, 0, Int32(reduction), &warnings, 0)
        }
        guard let pix = decoded.flatMap(Self.plain) else { return nil }
        self.pix = pix
        hasComplaint = warnings > 0
    }

    /// A Pix of 8 gray or 32 coloured bits, in place of the one given.
    private static func plain(_ pix: UnsafeMutablePointer<Pix>) -> UnsafeMutablePointer<Pix>? {
        // Depths of 1 to 16 bits are gray unless there is a table of colours.
        let hasTable = pixGetColormap(pix) != nil
        let isGray = pixGetDepth(pix) <= 16 && !hasTable
        if pixGetDepth(pix) == (isGray ? 8 : 32), !hasTable { return pix }
        defer {
            var pointer: UnsafeMutablePointer<Pix>? = pix
            pixDestroy(&pointer)
        }
        return isGray ? pixConvertTo8(pix, 0) : pixConvertTo32(pix)
    }

    deinit {
        var pointer: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&pointer)
    }

    func image() -> ColourImage {
        let width = Int(pixGetWidth(pix))
        let height = Int(pixGetHeight(pix))
        let wordsPerLine = Int(pixGetWpl(pix))
        var luminance = GrayImage(width: width, height: height, filledWith: 0)
        guard let words = pixGetData(pix) else { return ColourImage(luminance: luminance) }
        guard pixGetDepth(pix) == 32 else {
            // Words hold four pixels, the leftmost in the highest byte.
            pixEndianByteSwap(pix)
            luminance.pixels.withUnsafeMutableBytes { target in
                for y in 0..<height {
                    let row = UnsafeRawBufferPointer(start: words + y * wordsPerLine, count: width)
                    UnsafeMutableRawBufferPointer(rebasing: target[y * width..<(y + 1) * width]).copyMemory(from: row)
                }
            }
            return ColourImage(luminance: luminance)
        }
        // The colours at half the resolution, as most JPEGs have them.
        let wide = (width + 1) / 2
        var blue = GrayImage(width: wide, height: (height + 1) / 2, filledWith: 128)
        var red = blue
        for y in 0..<height {
            let row = words + y * wordsPerLine
            for x in 0..<width { luminance.pixels[y * width + x] = Self.luminance(of: row[x]) }
            guard y & 1 == 0 else { continue }
            let below = y + 1 < height ? row + wordsPerLine : row
            for column in 0..<wide {
                let next = min(width - 1, 2 * column + 1)
                let sums =
                    Self.parts(of: row[2 * column]) &+ Self.parts(of: row[next])
                    &+ Self.parts(of: below[2 * column]) &+ Self.parts(of: below[next])
                let place = y / 2 * wide + column
                blue.pixels[place] = Self.difference(sums &* SIMD4(-11059, -21709, 32768, 0))
                red.pixels[place] = Self.difference(sums &* SIMD4(32768, -27439, -5329, 0))
            }
        }
        return ColourImage(
            luminance: luminance, chroma: ColourImage.Chroma(blue: blue, red: red, shiftX: 1, shiftY: 1))
    }

    // Words hold red in the highest byte, then green and blue. The weights are those of JPEGs (ITU-T T.871), in 1/65536.

    private static func luminance(of word: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: ((parts(of: word) &* SIMD4(19595, 38470, 7471, 0)).wrappedSum() &+ 32768) >> 16)
    }

    private static func parts(of word: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(word >> 24), Int32(word >> 16 & 255), Int32(word >> 8 & 255), 0)
    }

    /// A colour difference, given the weighted sums over four pixels.
    private static func difference(_ sums: SIMD4<Int32>) -> UInt8 {
        UInt8(max(0, min(255, (sums.wrappedSum() &+ 131_072) >> 18 + 128)))
    }
}
