import Enforcement
import Foundation

/// The moment of capture in a JPEG's EXIF block: DateTimeOriginal with its fraction and offset (Exif 2.32, tags 0x9003, 0x9291
/// and 0x9011).
struct ExifTime: Equatable, Sendable {
    var time: CivilTime

    /// From OffsetTimeOriginal. Many cameras don't write it.
    var offset: TimeSpan?

    func instant(offset fallback: TimeSpan) -> Instant? {
        time.instant(offset: offset ?? fallback)
    }

    /// Nil when there is no such block, no such tag, or nonsense in them. Looks at 64 segments at most.
    static func original(inJPEG data: Data) -> ExifTime? {
        data.withUnsafeBytes { bytes in
            guard let block = exifBlock(bytes) else { return nil }
            return TIFFReader(UnsafeRawBufferPointer(rebasing: block))?.original()
        }
    }

    /// The TIFF part of the APP1 segment that begins with `Exif\0\0`.
    private static func exifBlock(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var position = 2
        for _ in 0..<64 {
            guard position + 4 <= bytes.count, bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard marker != 0xDA, marker != 0xD9, length >= 2 else { return nil }
            let start = position + 4
            let end = min(position + 2 + length, bytes.count)
            if marker == 0xE1, end - start > 6, bytes[start..<start + 6].elementsEqual([0x45, 0x78, 0x69, 0x66, 0, 0]) {
                return bytes[(start + 6)..<end]
            }
            position += 2 + length
        }
        return nil
    }
}

/// Reads the few tags needed out of a TIFF structure. Every offset in it is a stranger's claim and is checked against the block.
private struct TIFFReader {
    private let bytes: UnsafeRawBufferPointer
    private let isLittleEndian: Bool

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isLittleEndian = true
        case (0x4D, 0x4D): isLittleEndian = false
        default: return nil
        }
        self.bytes = bytes
        guard short(2) == 42 else { return nil }
    }

    func original() -> ExifTime? {
        guard let first = long(4), let pointer = entry(0x8769, inDirectoryAt: first), let exif = long(pointer + 8),
            let text = text(0x9003, inDirectoryAt: exif), var time = Self.time(text)
        else { return nil }
        if let fraction = self.text(0x9291, inDirectoryAt: exif) {
            time.millisecond = Self.milliseconds(fraction)
        }
        let offset = self.text(0x9011, inDirectoryAt: exif).flatMap { text -> TimeSpan? in
            var scanner = DigitScanner(text)
            return scanner.offset()
        }
        return ExifTime(time: time, offset: offset)
    }

    /// `2026:11:21 10:15:30`; some cameras write dashes.
    private static func time(_ text: String) -> CivilTime? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip(":") || scanner.skip("-"), let month = scanner.number(2),
            scanner.skip(":") || scanner.skip("-"), let day = scanner.number(2), scanner.skip(" ") || scanner.skip("T"),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2)
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return time.instant() == nil ? nil : time
    }

    /// A decimal fraction without its point: `25` is 250 ms. Anything else is 0.
    private static func milliseconds(_ text: String) -> Int {
        let digits = text.utf8.prefix { (48...57).contains($0) }.prefix(3)
        guard !digits.isEmpty else { return 0 }
        let value = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        return [1: 100, 2: 10, 3: 1][digits.count, default: 1] * value
    }

    /// Where the directory's entry with this tag begins. A directory has at most 512 entries here.
    private func entry(_ tag: Int, inDirectoryAt start: Int) -> Int? {
        guard let count = short(start) else { return nil }
        for index in 0..<min(count, 512) {
            let entry = start + 2 + index * 12
            guard let found = short(entry), entry + 12 <= bytes.count else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    /// An ASCII value (type 2) of at most 64 bytes, up to its terminating zero.
    private func text(_ tag: Int, inDirectoryAt start: Int) -> String? {
        guard let entry = entry(tag, inDirectoryAt: start), short(entry + 2) == 2, let count = long(entry + 4),
            (1...64).contains(count), let position = count <= 4 ? entry + 8 : long(entry + 8),
            position + count <= bytes.count
        else { return nil }
        return String(bytes: bytes[position..<position + count].prefix { $0 != 0 }, encoding: .ascii)
    }

    private func short(_ position: Int) -> Int? {
        guard position >= 0, position + 2 <= bytes.count else { return nil }
        let (first, second) = (Int(bytes[position]), Int(bytes[position + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private func long(_ position: Int) -> Int? {
        guard let first = short(position), let second = short(position + 2) else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }
}
