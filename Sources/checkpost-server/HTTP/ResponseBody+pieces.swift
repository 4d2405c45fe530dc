import Foundation
import Hummingbird
import NIOPosix

extension ResponseBody {
    private static let pieceBytes = 65_536

    /// So many bytes of a file in pieces, as fast as the client reads: a slow one doesn't hold the whole file in memory.
    ///
    /// - Parameter next: reads the next piece, of so many bytes at most. An empty one before the end closes the connection, so that nobody
    ///   waits for the rest.
    static func pieces(bytes: Int, _ next: @escaping @Sendable (Int) throws -> Data) -> ResponseBody {
        ResponseBody(contentLength: bytes) { writer in
            var left = bytes
            while left > 0 {
                let most = min(left, pieceBytes)
                let piece = try await NIOThreadPool.singleton.runIfActive { try next(most) }
                guard !piece.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
                left -= piece.count
                try await writer.write(ByteBuffer(bytes: piece))
            }
            try await writer.finish(nil)
        }
    }
}
