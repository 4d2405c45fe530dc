import Foundation

/// Small pictures made by hand, for tests that look at structure only.
enum Pictures {
    /// A PGM of four gray pixels; `tag` makes it unlike others.
    static func pgm(_ tag: UInt8 = 0) -> Data { Data("P5\n2 2\n255\n".utf8) + Data([tag, 1, 2, 3]) }

    /// What a JPEG looks like to one who walks its markers: a thumbnail with an end marker inside a segment, coded data with a
    /// stuffed byte and a restart marker, the end marker.
    static func jpeg(tag: UInt8 = 7, exif: Data? = nil, coded: Int = 40) -> Data {
        var data = Data([0xFF, 0xD8])
        if let exif { data += segment(0xE1, Data("Exif\0\0".utf8) + exif) }
        data += segment(0xE2, Data([0xFF, 0xD8, 0xFF, 0xD9, tag]))
        data += segment(0xDA, Data([1, 1, 0, 0, 63, 0]))
        data += Data(repeating: tag, count: coded) + Data([0xFF, 0x00, 0xFF, 0xD0, tag])
        return data + Data([0xFF, 0xD9])
    }

    static func segment(_ marker: UInt8, _ body: Data) -> Data {
        let length = body.count + 2
        return Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]) + body
    }

    /// A TIFF block with the three capture tags; nil leaves one out.
    static func exif(date: String, fraction: String? = nil, offset: String? = nil, littleEndian: Bool = true) -> Data {
        var tags: [(Int, Data)] = [(0x9003, Data(date.utf8) + [0])]
        if let offset { tags.append((0x9011, Data(offset.utf8) + [0])) }
        if let fraction { tags.append((0x9291, Data(fraction.utf8) + [0])) }
        func number(_ value: Int, _ width: Int) -> Data {
            let bytes = (0..<width).map { UInt8(value >> (8 * $0) & 0xFF) }
            return Data(littleEndian ? bytes : bytes.reversed())
        }
        var block = Data((littleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        block += number(1, 2) + number(0x8769, 2) + number(4, 2) + number(1, 4) + number(26, 4) + number(0, 4)
        block += number(tags.count, 2)
        var values = Data()
        let valuesStart = 26 + 2 + tags.count * 12 + 4
        for (tag, value) in tags {
            block += number(tag, 2) + number(2, 2) + number(value.count, 4)
            if value.count <= 4 {
                block += value + Data(count: 4 - value.count)
            } else {
                block += number(valuesStart + values.count, 4)
                values += value
            }
        }
        return block + number(0, 4) + values
    }
}
