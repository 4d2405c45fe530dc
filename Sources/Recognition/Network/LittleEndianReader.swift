import Foundation

/// Reads a network's file from one value to the next.
struct LittleEndianReader {
    private let data: Data
    private var offset: Int

    init(_ data: Data, offset: Int = 0) {
        self.data = data
        self.offset = offset
    }

    var isAtEnd: Bool { offset == data.count }

    var rest: Data { Data(data.dropFirst(offset)) }

    /// A text with its length in bytes before it.
    mutating func text(atMost most: Int) throws(NetworkError) -> String {
        let count = try number()
        guard (1...most).contains(count), let text = String(bytes: try values(count, of: UInt8.self), encoding: .utf8)
        else { throw .damaged("a symbol is no text") }
        return text
    }

    mutating func number() throws(NetworkError) -> Int {
        Int(try values(1, of: UInt32.self)[0].littleEndian)
    }

    mutating func halves(_ count: Int) throws(NetworkError) -> [Float] {
        try finite(values(count, of: UInt16.self).map { Self.float(half: UInt16(littleEndian: $0)) })
    }

    mutating func floats(_ count: Int) throws(NetworkError) -> [Float] {
        try finite(values(count, of: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) })
    }

    private func finite(_ values: [Float]) throws(NetworkError) -> [Float] {
        guard values.allSatisfy(\.isFinite) else { throw .damaged("a weight is no number") }
        return values
    }

    private mutating func values<Value: FixedWidthInteger>(
        _ count: Int, of type: Value.Type
    ) throws(NetworkError) -> [Value] {
        let size = MemoryLayout<Value>.size * count
        guard offset + size <= data.count else { throw .damaged("it ends too early") }
        let found = data.withUnsafeBytes { bytes in
            (0..<count).map {
                bytes.loadUnaligned(fromByteOffset: offset + $0 * MemoryLayout<Value>.size, as: Value.self)
            }
        }
        offset += size
        return found
    }

    /// A 16-bit float's value: `Float16` doesn't exist on every processor that the program runs on.
    private static func float(half: UInt16) -> Float {
        let sign: Float = half & 0x8000 == 0 ? 1 : -1
        let exponent = Int(half >> 10 & 0x1F)
        let fraction = Float(half & 0x3FF) / 1024
        if exponent == 31 { return .nan }
        if exponent == 0 { return sign * fraction * 0x1p-14 }
        return sign * (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
    }
}
