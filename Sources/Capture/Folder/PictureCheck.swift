import Foundation

/// Looks at a picture's structure, without decoding it: is it a picture, and is it all there?
enum PictureCheck: Equatable, Sendable {
    case complete
    /// The beginning of a picture whose end is missing: still being written, or broken off.
    case truncated(String)
    case notAPicture(String)

    /// Extensions of the files that are looked at, in lower case.
    static let extensions: Set<String> = ["jpg", "jpeg", "png", "pgm", "ppm", "pnm"]

    static func of(_ data: Data) -> PictureCheck {
        data.withUnsafeBytes { bytes in
            guard !bytes.isEmpty else { return .truncated("the file is empty") }
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                return JPEGStructure.end(of: bytes) == nil
                    ? .truncated("the JPEG breaks off before its end marker") : .complete
            }
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png(bytes) }
            if bytes.count > 2, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]) { return pnm(bytes) }
            return .notAPicture("it begins like no JPEG, PNG or PNM picture")
        }
    }

    /// A PNG is a chain of chunks (length, type, data, checksum) that ends with IEND.
    private static func png(_ bytes: UnsafeRawBufferPointer) -> PictureCheck {
        let short = PictureCheck.truncated("the PNG breaks off before its IEND chunk")
        var position = 8
        while position + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
            let type = bytes[(position + 4)..<(position + 8)]
            guard length <= bytes.count - position - 12 else { return short }
            if type.elementsEqual("IEND".utf8) { return .complete }
            position += 12 + length
        }
        return short
    }

    /// Binary PNM tells the number of its bytes by width, height and greatest value; the text forms don't.
    private static func pnm(_ bytes: UnsafeRawBufferPointer) -> PictureCheck {
        let kind = bytes[1]
        var numbers: [Int] = []
        var position = 2
        let wanted = kind == 0x31 || kind == 0x34 ? 2 : 3
        while numbers.count < wanted {
            while position < bytes.count, bytes[position] == 0x23 || bytes[position] <= 0x20 {
                if bytes[position] == 0x23 { while position < bytes.count, bytes[position] != 0x0A { position += 1 } }
                position += 1
            }
            var value = 0
            let start = position
            while position < bytes.count, (0x30...0x39).contains(bytes[position]), value < 1_000_000 {
                value = value * 10 + Int(bytes[position]) - 0x30
                position += 1
            }
            guard position < bytes.count else { return .truncated("the PNM's header breaks off") }
            guard position > start else { return .notAPicture("the PNM's header is no header") }
            numbers.append(value)
        }
        guard numbers[0] > 0, numbers[1] > 0 else { return .notAPicture("the PNM has no pixels") }
        let row: Int
        switch kind {
        case 0x34: row = (numbers[0] + 7) / 8
        case 0x35: row = numbers[0] * (numbers[2] > 255 ? 2 : 1)
        case 0x36: row = numbers[0] * (numbers[2] > 255 ? 6 : 3)
        default: return .complete
        }
        let isThere = bytes.count - position - 1 >= row * numbers[1]
        return isThere ? .complete : .truncated("the PNM has fewer pixels than its header says")
    }
}
