import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A client that writes bytes to a socket as no library would let one.
final class RawClient {
    private let descriptor: Int32

    init?(port: Int, receiveBufferBytes: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of it; false when the other end is closed.
    @discardableResult
    func send(_ data: Data, waitSeconds: Int = 10) -> Bool {
        var limit = timeval(tv_sec: waitSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    /// What comes until the other end closes, until so many bytes are there, or until nothing came for so long.
    func receive(limit: Int = 1 << 20, waitSeconds: Int = 10) -> (text: String, isClosed: Bool) {
        var wait = timeval(tv_sec: waitSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var all = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while all.count < limit {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return (String(decoding: all, as: UTF8.self), true) }
            guard count > 0 else { break }
            all.append(contentsOf: piece[0..<count])
        }
        return (String(decoding: all, as: UTF8.self), false)
    }

    /// The bytes of one answer's body, which says its length; nil when it did not come whole.
    func answer() -> Int? {
        var all = Data()
        while true {
            let (text, isClosed) = receive(limit: 1)
            all.append(contentsOf: text.utf8)
            if let head = all.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: all[..<head.lowerBound], as: UTF8.self).lowercased().split(
                    separator: "\r\n")
                guard let line = lines.first(where: { $0.hasPrefix("content-length: ") }),
                    let length = Int(line.dropFirst(16))
                else { return nil }
                if all.count - head.upperBound >= length { return length }
            }
            if isClosed || text.isEmpty { return nil }
        }
    }

    /// The status of the first answer; nil when there was none.
    func status(waitSeconds: Int = 10) -> Int? {
        let text = receive(limit: 1, waitSeconds: waitSeconds).text
        return text.hasPrefix("HTTP/1.") ? Int(text.dropFirst(9).prefix(3)) : nil
    }
}
