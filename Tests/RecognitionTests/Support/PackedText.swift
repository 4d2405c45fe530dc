import Foundation

/// A PNG's packed text (`zTXt`) that is small in the file and large when it is unpacked.
enum PackedText {
    /// One chunk of about 44 KB that unpacks to 7 MB of zeros.
    static let chunk: Data = {
        let content = Data("zTXta".utf8) + [0, 0] + packedZeros(repeats: 27_000)
        var chunk = number(UInt32(content.count - 4))
        chunk.append(content)
        chunk.append(number(checksum(content)))
        return chunk
    }()

    /// The picture with so many of them before its pixels.
    static func burdened(_ png: Data, chunks: Int) throws -> Data {
        let header = 8 + 25
        var result = Data(png.prefix(header))
        for _ in 0..<chunks { result.append(chunk) }
        result.append(png.dropFirst(header))
        return result
    }

    /// A zlib stream (RFC 1950, 1951) with one block of fixed codes: a zero, then over and over "the last byte 258 times".
    private static func packedZeros(repeats: Int) -> Data {
        var (bytes, byte, count) = ([UInt8]([0x78, 0x01]), UInt8(0), 0)
        func put(_ bits: String) {
            for bit in bits {
                if bit == "1" { byte |= 1 << count }
                count += 1
                if count == 8 {
                    bytes.append(byte)
                    (byte, count) = (0, 0)
                }
            }
        }
        // Last block, fixed codes, the literal 0.
        put("1" + "10" + "00110000")
        for _ in 0..<repeats { put("11000101" + "00000") }
        put("0000000")
        if count > 0 { bytes.append(byte) }
        // Adler's sum of n zeros: 1 and n.
        let length = UInt32((1 + 258 * repeats) % 65_521)
        return Data(bytes) + number(length << 16 | 1)
    }

    private static func number(_ value: UInt32) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    private static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
