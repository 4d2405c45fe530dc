import Foundation

/// What a JPEG's segments say of it, found without decoding it.
package struct JPEGHeader: Sendable, Equatable {
    /// How the camera was held: Exif's orientation, 1 (upright) to 8.
    package private(set) var orientation = 1

    /// In pixels, as they are stored; 0 where it doesn't say.
    package private(set) var width = 0
    package private(set) var height = 0

    /// Whether the pixels are stored in a way that no camera uses: arithmetic coding, lossless, more than 8 bits, no height.
    package private(set) var isExotic = false

    /// How often the decoder goes through the picture: 1 of an ordinary one, about 10 of a progressive one.
    package private(set) var scans = 0

    private var isProgressive = false

    /// Whether the whole picture must be held as coefficients while it is decoded.
    package var needsCoefficients: Bool { isProgressive || scans > 1 }

    /// Reads the segments, and goes over what lies between them. Nonsense ends the reading, what was found until then counts.
    package init(_ data: Data) {
        data.withUnsafeBytes { bytes in
            var at = 0
            while let marker = Self.marker(in: bytes, from: at) {
                let kind = bytes[marker + 1]
                at = marker + 2
                // These stand alone: filler, restarts, start of the picture, and a byte of the pixels that looks like a marker.
                if kind == 0xFF { at = marker + 1 }
                if [0x00, 0x01, 0xD8, 0xFF].contains(kind) || 0xD0...0xD7 ~= kind { continue }
                guard kind != 0xD9, at + 2 <= bytes.count else { return }
                let length = Int(bytes[at]) << 8 | Int(bytes[at + 1])
                guard length >= 2 else { return }
                let segment = UnsafeRawBufferPointer(
                    rebasing: bytes[at + 2..<max(at + 2, min(bytes.count, at + length))])
                note(kind, segment)
                at += length
            }
        }
    }

    /// The next place that may be a marker's.
    private static func marker(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count - 1 else { return nil }
        return memchr(base + start, 0xFF, bytes.count - 1 - start).map { UnsafeRawPointer($0) - base }
    }

    private mutating func note(_ kind: UInt8, _ segment: UnsafeRawBufferPointer) {
        switch kind {
        case 0xDA: scans += 1
        case 0xE1 where scans == 0: orientation = Self.orientation(exif: Array(segment)) ?? orientation
        case 0xC0, 0xC1, 0xC2:
            isProgressive = kind == 0xC2
            // Bits of a sample, then the height, which may be left to a later segment.
            isExotic = segment.count < 3 || segment[0] != 8 || (segment[1] == 0 && segment[2] == 0)
            guard segment.count >= 5 else { return }
            height = Int(segment[1]) << 8 | Int(segment[2])
            width = Int(segment[3]) << 8 | Int(segment[4])
        case 0xC4, 0xC8, 0xCC: break
        case 0xC3...0xCF: isExotic = true
        default: break
        }
    }

    /// The orientation in the first directory of an Exif segment.
    private static func orientation(exif bytes: [UInt8]) -> Int? {
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
