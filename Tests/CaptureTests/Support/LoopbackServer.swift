import Foundation
import Glibc

@testable import Capture

/// A real HTTP server on 127.0.0.1 for the tests: one thread for each connection, each answered by the test's own code, byte by byte.
final class LoopbackServer: @unchecked Sendable {
    struct Request: Sendable {
        var path: String
        var headers: [String: String]
    }

    /// One connection. `send` returns false when the client is gone.
    final class Connection: @unchecked Sendable {
        fileprivate let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }

        @discardableResult func send(_ data: Data) -> Bool {
            var sent = 0
            while sent < data.count {
                let count = data.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress! + sent, data.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        @discardableResult func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Answers with these headers and this body.
        @discardableResult func answer(_ status: String, _ headers: [String] = [], body: Data = Data()) -> Bool {
            let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
            return send(Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        /// Waits until the client hangs up.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        fileprivate func readRequest() -> Request? {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
                var byte: UInt8 = 0
                guard bytes.count < 65_536, recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                bytes.append(byte)
            }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...]).trimmingWhitespace()
            }
            return words.count > 1 ? Request(path: String(words[1]), headers: headers) : nil
        }
    }

    let port: UInt16
    private let listener: Int32
    private let open = Guarded<Set<Int32>>([])
    private let taken = Guarded<[Request]>([])

    /// Every request so far.
    var requests: [Request] { taken.withLock { $0 } }

    /// - Parameter answer: answers one request; the connection is closed when it returns false.
    init(_ answer: @escaping @Sendable (Connection, Request) -> Bool) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                guard let self else {
                    close(descriptor)
                    return
                }
                self.serve(descriptor, answer)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        open.withLock { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    func url(_ path: String = "/", login: String = "") -> String { "http://\(login)127.0.0.1:\(port)\(path)" }

    private func serve(_ descriptor: Int32, _ answer: @escaping @Sendable (Connection, Request) -> Bool) {
        open.withLock { _ = $0.insert(descriptor) }
        let (open, taken) = (open, taken)
        let thread = Thread {
            let connection = Connection(descriptor)
            while let request = connection.readRequest() {
                taken.withLock { $0.append(request) }
                guard answer(connection, request) else { break }
            }
            open.withLock { _ = $0.remove(descriptor) }
            close(descriptor)
        }
        thread.start()
    }
}

/// A camera's stream as bytes.
enum Stream {
    static let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"

    static func part(_ body: Data, boundary: String = "--frame", headers: [String] = [], hasLength: Bool = true) -> Data
    {
        let length = hasLength ? ["Content-Length: \(body.count)"] : []
        let lines = [boundary, "Content-Type: image/jpeg"] + length + headers
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body + Data("\r\n".utf8)
    }
}
