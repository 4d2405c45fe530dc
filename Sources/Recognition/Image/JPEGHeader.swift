import Foundation

/// What the segments before a JPEG's pixels say.
struct JPEGHeader: Equatable {
    /// How the camera was held: Exif's orientation, 1 (upright) to 8.
    private(set) var orientation = 1

    /// Whether the whole picture must be held as coefficients while it is decoded.
    private(set) var isProgressive = false

    /// Reads the segments up to the start of the pixels. Nonsense ends the reading, what was found until then counts.
    init(_ data: Data) {
        let bytes = [UInt8](data.prefix(1 << 18))
        var at = 2
        // A segment is FF, its kind, and its length with the length's own two bytes.
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let kind = bytes[at + 1]
            if kind == 0xFF {
                at += 1
                continue
            }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard length >= 2, kind != 0xDA else { return }
            let end = min(bytes.count, at + 2 + length)
            switch kind {
            case 0xE1: orientation = Self.orientation(exif: bytes[min(end, at + 4)..<end]) ?? orientation
            case 0xC2, 0xC6, 0xCA, 0xCE: isProgressive = true
            default: break
            }
            at += 2 + length
        }
    }

    /// The orientation in the first directory of an Exif segment.
    private static func orientation(exif: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(exif)
        guard bytes.count >= 14, bytes.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
        let tiff = Array(bytes[6...])
        let isLittle = tiff[0] == 0x49
        func number(_ at: Int, _ size: Int) -> Int? {
            guard at >= 0, at + size <= tiff.count else { return nil }
            let digits = isLittle ? Array(tiff[at..<at + size].reversed()) : Array(tiff[at..<at + size])
            return digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
        for entry in 0..<min(entries, 64) {
            let at = directory + 2 + 12 * entry
            guard number(at, 2) == 0x0112 else { continue }
            return number(at + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}

extension GrayImage {
    /// The picture upright, given Exif's orientation: 3 lies on its head, 6 and 8 on their sides, even ones to 4 and odd ones
    /// from 5 are mirrored as well.
    func upright(from orientation: Int) -> GrayImage {
        guard (2...8).contains(orientation) else { return self }
        let swapsSides = orientation >= 5
        let newWidth = swapsSides ? height : width
        let newHeight = swapsSides ? width : height
        let result = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        let (column, row) =
                            switch orientation {
                            case 2: (width - 1 - x, y)
                            case 3: (width - 1 - x, height - 1 - y)
                            case 4: (x, height - 1 - y)
                            case 5: (y, x)
                            case 6: (y, height - 1 - x)
                            case 7: (width - 1 - y, height - 1 - x)
                            default: (width - 1 - y, x)
                            }
                        target[y * newWidth + x] = source[row * width + column]
                    }
                }
            }
            count = width * height
        }
        return GrayImage(width: newWidth, height: newHeight, pixels: result)
    }
}
