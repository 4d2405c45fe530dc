import CLeptonica
import Foundation

/// A picture's colours, a JPEG's decoded at a fraction of its size.
struct DecodedColours: ~Copyable {
    let width: Int
    let height: Int

    /// How many stored pixels one pixel stands for, along one side: 1, 2, 4 or 8.
    let reduction: Int

    /// Other formats are decoded whole, more than once, so only of moderate size.
    private static let maximumPixelsOfOthers = 2_100_000

    private let pix: UnsafeMutablePointer<Pix>
    private let words: UnsafePointer<UInt32>
    private let wordsPerLine: Int

    /// Nil for pictures larger than `maximumPixels` after the reduction, for large ones other than JPEGs, and for what can't be
    /// decoded: the colours are a second look, which a picture can do without.
    ///
    /// - Parameter reduction: chosen by the stored width and height.
    init?(_ data: Data, maximumPixels: Int, reduction choose: (_ width: Int, _ height: Int) -> Int) {
        guard let size = try? ImageDecoder.size(of: data) else { return nil }
        let reduction = choose(size.width, size.height)
        guard size.width / reduction * (size.height / reduction) <= maximumPixels else { return nil }
        let isJPEG = size.format == IFF_JFIF_JPEG
        guard isJPEG || size.width * size.height <= Self.maximumPixelsOfOthers else { return nil }
        let decoded = isJPEG ? Self.jpeg(data, reduction) : Self.other(data, reduction)
        guard let pix = decoded else { return nil }
        guard pixGetDepth(pix) == 32, let words = pixGetData(pix), pixGetWidth(pix) > 0, pixGetHeight(pix) > 0 else {
            var pointer: UnsafeMutablePointer<Pix>? = pix
            pixDestroy(&pointer)
            return nil
        }
        self.pix = pix
        self.words = UnsafePointer(words)
        self.reduction = reduction
        width = Int(pixGetWidth(pix))
        height = Int(pixGetHeight(pix))
        wordsPerLine = Int(pixGetWpl(pix))
    }

    private static func jpeg(_ data: Data, _ reduction: Int) -> UnsafeMutablePointer<Pix>? {
        var warnings: Int32 = 0
        return data.withUnsafeBytes { bytes in
            pixReadMemJpeg(
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, 0, Int32(reduction), &warnings, 0)
        }
    }

    private static func other(_ data: Data, _ reduction: Int) -> UnsafeMutablePointer<Pix>? {
        var pix = data.withUnsafeBytes { pixReadMem($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        func replace(by next: UnsafeMutablePointer<Pix>?) {
            pixDestroy(&pix)
            pix = next
        }
        replace(by: pix.flatMap { pixConvertTo32($0) })
        var left = reduction
        while left > 1, let whole = pix {
            replace(by: pixScaleAreaMap2(whole))
            left /= 2
        }
        return pix
    }

    deinit {
        var pointer: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&pointer)
    }

    /// A row's pixels: red in the highest byte, then green and blue.
    func row(_ y: Int) -> UnsafePointer<UInt32> { words + y * wordsPerLine }
}
