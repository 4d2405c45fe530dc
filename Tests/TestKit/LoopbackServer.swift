import Foundation
import Glibc
import Synchronization

/// A real HTTP server on 127.0.0.1 for the tests: one thread for each connection, each answered by the test's own code, byte by byte.
package final class LoopbackServer: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var path: String
        /// With names in lower-case letters.
        package var headers: [String: String]
        package var body = Data()
    }

    private static let mostHeadBytes = 65_536

    /// One connection. `send` returns false when the client is gone.
    package final class Connection: Sendable {
        fileprivate let descriptor: Int32
        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        @discardableResult package func send(_ data: Data) -> Bool {
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

        @discardableResult package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Answers with these headers and this body.
        @discardableResult package func answer(_ status: String, _ headers: [String] = [], body: Data = Data()) -> Bool
        {
            let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
            return send(Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        /// Waits until the client hangs up.
        package func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        fileprivate func readRequest() -> Request? {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
                var byte: UInt8 = 0
                guard bytes.count < LoopbackServer.mostHeadBytes, recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                bytes.append(byte)
            }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                    in: .whitespaces)
            }
            guard words.count > 1, let body = readBody(headers["content-length"].flatMap { Int($0) } ?? 0) else {
                return nil
            }
            return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
        }

        private func readBody(_ length: Int) -> Data? {
            var body = Data()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while body.count < length {
                let count = recv(descriptor, &buffer, min(buffer.count, length - body.count), 0)
                guard count > 0 else { return nil }
                body += buffer[..<count]
            }
            return body
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let state: State

    /// What the connections' threads share with the test; it outlives the server as long as one of them runs.
    private final class State: Sendable {
        struct Values {
            var open: Set<Int32> = []
            var requests: [Request] = []
            var connectionCount = 0
        }

        let values = Mutex(Values())
    }

    /// Every request so far.
    package var requests: [Request] { state.values.withLock { $0.requests } }

    /// How many connections there have been.
    package var connectionCount: Int { state.values.withLock { $0.connectionCount } }

    /// - Parameter answer: answers one request; the connection is closed when it returns false.
    package init(_ answer: @escaping @Sendable (Connection, Request) -> Bool) throws {
        state = State()
        (listener, port) = try LoopbackSocket.listening()
        let state = state
        LoopbackSocket.accept(on: listener) { Self.serve($0, state, answer) }
    }

    deinit {
        // The thread that waits on it closes it.
        shutdown(listener, Int32(SHUT_RDWR))
        state.values.withLock { for descriptor in $0.open { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    package func url(_ path: String = "/", login: String = "") -> String { "http://\(login)127.0.0.1:\(port)\(path)" }

    private static func serve(
        _ descriptor: Int32, _ state: State, _ answer: @escaping @Sendable (Connection, Request) -> Bool
    ) {
        state.values.withLock {
            $0.open.insert(descriptor)
            $0.connectionCount += 1
        }
        Thread {
            let connection = Connection(descriptor)
            while let request = connection.readRequest() {
                state.values.withLock { $0.requests.append(request) }
                guard answer(connection, request) else { break }
            }
            // Out of the list before it is closed: its number may be another connection's at once.
            state.values.withLock { _ = $0.open.remove(descriptor) }
            close(descriptor)
        }.start()
    }
}
