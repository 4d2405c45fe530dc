import Foundation

/// A Tesseract model as it lies on disk: a table of parts and the parts.
///
/// The layout is Tesseract's (`TessdataManager`): the number of parts (32 bits), where each starts (64 bits, -1 for a part
/// that isn't there), all little-endian. Parts 17, 21 and 22 are the network, its symbols and their codes.
struct ModelFile {
    /// A plate model has 200 kB, Tesseract's largest 20 MB.
    private static let maximumBytes = 64 << 20

    private static let network = 17
    private static let symbols = 21
    private static let codes = 22

    private var parts: [Data?]

    /// - Returns: nil when the data isn't a model with a network.
    init?(_ data: Data) {
        guard data.count <= Self.maximumBytes, let count = data.littleEndian(UInt32.self, at: 0),
            (1...64).contains(count)
        else { return nil }
        var starts: [Int?] = []
        for index in 0..<Int(count) {
            guard let start = data.littleEndian(Int64.self, at: 4 + 8 * index) else { return nil }
            guard start >= 0 else {
                starts.append(nil)
                continue
            }
            guard start >= 4 + 8 * Int64(count), start <= Int64(data.count) else { return nil }
            starts.append(Int(start))
        }
        let ends = (starts.compactMap { $0 } + [data.count]).sorted()
        parts = starts.map { start in
            guard let start, let end = ends.first(where: { $0 > start }) else { return nil }
            return data.subdata(in: data.startIndex + start..<data.startIndex + end)
        }
        for needed in [Self.network, Self.symbols, Self.codes] {
            guard parts.indices.contains(needed), parts[needed] != nil else { return nil }
        }
    }

    /// Adds two symbols that stand for nothing to a table that has no place for them.
    ///
    /// Tesseract looks alternatives up two entries further than it should (`SaveMostCertainChoices` takes for granted that
    /// the table starts with three special entries). In a table without them the last two symbols run past its end, which
    /// ends the process.
    mutating func makeSafeForAlternatives() {
        guard let table = symbolTable else { return }
        var lines = table.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        guard lines.count > 3, let count = Int(lines[0].trimmingCharacters(in: .whitespaces)),
            !lines[2].hasPrefix("Joined")
        else { return }
        lines[0] = String(count + 2)
        for (offset, symbol) in ["\u{2591}", "\u{2593}"].enumerated() {
            lines.append("\(symbol) 0 0,255,0,255,0,0,0,0,0,0 Common \(count + offset) 10 \(count + offset) \(symbol)")
        }
        parts[Self.symbols] = Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// The symbols that the network writes, one a line.
    var symbolTable: String? { parts[Self.symbols].flatMap { String(data: $0, encoding: .utf8) } }

    /// The model as bytes.
    var data: Data { Self.container(parts) }

    /// Parts as they lie in a file.
    static func container(_ parts: [Data?]) -> Data {
        var header = Data()
        header.append(littleEndian: UInt32(parts.count))
        var start = Int64(4 + 8 * parts.count)
        for part in parts {
            header.append(littleEndian: part == nil ? -1 : start)
            start += Int64(part?.count ?? 0)
        }
        return parts.reduce(into: header) { $0.append($1 ?? Data()) }
    }
}

extension Data {
    fileprivate func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        let size = MemoryLayout<Number>.size
        guard offset >= 0, offset + size <= count else { return nil }
        return withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
