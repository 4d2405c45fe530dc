import CLeptonica
import Foundation

/// A JPEG's colours, decoded at a fraction of its size.
struct JPEGColours: ~Copyable {
    let width: Int
    let height: Int

    /// How many stored pixels one pixel stands for, along one side: 1, 2, 4 or 8.
    let reduction: Int

    private let pix: UnsafeMutablePointer<Pix>
    private let words: UnsafePointer<UInt32>
    private let wordsPerLine: Int

    /// Nil for pictures other than JPEGs, for those larger than `maximumPixels` after the reduction, and for what can't be
    /// decoded: the colours are a second look, which a picture can do without.
    ///
    /// - Parameter reduction: chosen by the stored width and height.
    init?(_ data: Data, maximumPixels: Int, reduction choose: (_ width: Int, _ height: Int) -> Int) {
        guard let size = try? ImageDecoder.size(of: data), size.format == IFF_JFIF_JPEG else { return nil }
        let reduction = choose(size.width, size.height)
        guard size.width / reduction * (size.height / reduction) <= maximumPixels else { return nil }
        var warnings: Int32 = 0
        let decoded = data.withUnsafeBytes { bytes in
            pixReadMemJpeg(
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, 0, Int32(reduction), &warnings, 0)
        }
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

    deinit {
        var pointer: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&pointer)
    }

    /// A row's pixels: red in the highest byte, then green and blue.
    func row(_ y: Int) -> UnsafePointer<UInt32> { words + y * wordsPerLine }
}
