import Foundation
import Glibc
import TestKit

/// A request as a test's server sees it.
struct Asked: Sendable {
    var method: String
    var path: String
    var query: [(name: String, value: String)]
    var headers: [String: String]
    var body: Data
    /// Path and query as they were sent.
    var target: String

    /// - Parameter target: path and query as they are sent, percent-encoded.
    init(method: String, target: String, headers: [String: String], body: Data) {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        self.method = method
        path = parts[0]
        query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
            return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
        }
        self.headers = headers
        self.target = target
        self.body = body
    }

    func first(_ name: String) -> String? { query.first { $0.name == name }?.value }
    var json: Any? { try? JSONSerialization.jsonObject(with: body) }
}

struct Answered: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body = Data()

    static func json(_ value: Any, status: Int = 200) -> Answered {
        Answered(
            status: status, headers: ["Content-Type": "application/json"],
            body: (try? JSONSerialization.data(withJSONObject: value)) ?? Data())
    }
}

/// What goes wrong with one request.
enum Fault: Sendable {
    /// The connection is closed before anything is done.
    case drop
    /// The server does what is asked, and its answer is lost.
    case loseAnswer
    /// The server does what is asked, and half of its answer arrives.
    case truncate
    /// The server does what is asked, and its answer is damaged.
    case garble
    /// A captive portal answers.
    case portal
    /// This comes instead of the server's answer, and nothing is done.
    case answer(Answered)
    /// The request reaches the server twice.
    case twice
}

/// A real HTTP/1.1 server on 127.0.0.1, a thread for each connection.
final class HTTPListener: @unchecked Sendable {
    private let lock = NSLock()
    private var listener: Int32 = -1
    private var connections: Set<Int32> = []
    private(set) var port: UInt16 = 0
    private let handle: @Sendable (Asked) -> (Answered, Fault?)

    init(_ handle: @escaping @Sendable (Asked) -> (Answered, Fault?)) throws {
        self.handle = handle
        // While it is stopped nobody else may get its port: tests run beside others.
        port = UInt16(try FreePort.next())
        try start()
    }

    deinit { stop() }

    /// Listens again, on the same port after a stop.
    func start() throws {
        let (descriptor, port) = try LoopbackSocket.listening(on: port)
        self.port = port
        lock.withLock { listener = descriptor }
        LoopbackSocket.accept(on: descriptor) { [weak self] connection in
            guard let self else {
                close(connection)
                return
            }
            self.lock.withLock { _ = self.connections.insert(connection) }
            Thread { [weak self] in self?.serve(connection) }.start()
        }
    }

    /// Stops listening and cuts every connection.
    func stop() {
        lock.withLock {
            // The thread that waits on it closes it.
            if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
            listener = -1
            for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ connection: Int32) {
        while let asked = Self.read(connection) {
            let (answered, fault) = handle(asked)
            guard Self.write(answered, to: connection, fault: fault) else { break }
        }
        lock.withLock { _ = connections.remove(connection) }
        close(connection)
    }

    /// - Returns: whether the connection stays open.
    private static func write(_ answered: Answered, to connection: Int32, fault: Fault?) -> Bool {
        var body = answered.body
        var length = body.count
        switch fault {
        case .drop, .loseAnswer: return false
        case .truncate:
            body = body.prefix(body.count / 2)
            length = max(length, body.count + 1)
        case .garble: body = Data(body.map { $0 ^ 0x2a })
        case .portal, .answer, .twice, nil: break
        }
        var head = "HTTP/1.1 \(answered.status) X\r\nContent-Length: \(length)\r\n"
        for (name, value) in answered.headers { head += "\(name): \(value)\r\n" }
        let bytes = Data((head + "\r\n").utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        if case .truncate = fault { return false }
        return true
    }

    private static func read(_ connection: Int32) -> Asked? {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let asked = parse(bytes) { return asked }
            guard bytes.count < 32 << 20 else { return nil }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    private static func parse(_ bytes: Data) -> Asked? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        let body = bytes[end.upperBound...]
        guard body.count >= length else { return nil }
        return Asked(method: words[0], target: words[1], headers: headers, body: Data(body.prefix(length)))
    }
}
