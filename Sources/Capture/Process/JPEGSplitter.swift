import Enforcement
import Foundation

/// Cuts a stream of JPEG pictures, one straight after another, into pictures.
struct JPEGSplitter: Sendable {
    struct TooLarge: Error {}

    static let largestPicture = 20 << 20

    private var buffer = Data()
    private var walk: JPEGWalk?

    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(TooLarge) -> [Data] {
        buffer.append(contentsOf: bytes)
        var pictures: [Data] = []
        while true {
            if walk == nil {
                guard let start = buffer.firstRange(of: [0xFF, 0xD8] as [UInt8])?.lowerBound else {
                    buffer = Data(buffer.suffix(1))
                    return pictures
                }
                buffer = Data(buffer[start...])
                walk = JPEGWalk(start: 0)
            }
            guard let end = buffer.withUnsafeBytes({ walk?.advance(over: $0) }) else { break }
            pictures.append(Data(buffer.prefix(end)))
            buffer = Data(buffer.dropFirst(end))
            walk = nil
        }
        guard buffer.count <= Self.largestPicture else { throw TooLarge() }
        return pictures
    }
}
