import Foundation

/// The parts of a PNG that make its picture.
///
/// libpng unpacks texts and colour profiles, too, each of them up to 8 MB and as many as there are: a file of 8 MB keeps it busy for a
/// minute over what nobody looks at. Without them its work is bounded by the number of pixels.
enum PNGChunks {
    /// Header, colours, transparency, pixels, end.
    private static let needed: Set<[UInt8]> = Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map { Array($0.utf8) })
    private static let signatureLength = 8

    /// Length, type and checksum of a chunk.
    private static let frameLength = 12

    /// The file without what its picture doesn't need, up to where its chain of chunks breaks.
    static func essential(_ data: Data) -> Data {
        data.withUnsafeBytes { bytes in
            guard bytes.count > signatureLength else { return data }
            var result = Data(bytes[..<signatureLength])
            var at = signatureLength
            while at + frameLength <= bytes.count {
                let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
                let type = Array(bytes[(at + 4)..<(at + 8)])
                guard length <= bytes.count - at - frameLength else { break }
                if needed.contains(type) { result.append(contentsOf: bytes[at..<(at + frameLength + length)]) }
                at += frameLength + length
            }
            return result
        }
    }
}
