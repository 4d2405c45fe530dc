import Foundation

/// A browser as a test needs it: HTTP/1.1 over a plain socket, with cookies, without following anything. What is sent is sent
/// as written, so that it can be wrong.
package final class Visitor {
    package struct Answer {
        package var status = 0
        package var headers: [String: String] = [:]
        package var cookies: [String: String] = [:]
        package var body = Data()

        package var text: String { String(decoding: body, as: UTF8.self) }
        package var location: String? { headers["location"] }
        package var json: Any? { try? JSONSerialization.jsonObject(with: body) }
        package var object: [String: Any] { json as? [String: Any] ?? [:] }
        package var list: [[String: Any]] { json as? [[String: Any]] ?? [] }
    }

    package struct NoAnswer: Error {
        package init() {}
    }

    package let port: Int
    package var cookies: [String: String] = [:]

    /// What forms of the page that was fetched last carry.
    package var formToken = ""

    package init(port: Int) {
        self.port = port
    }

    package func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        let answer = try await send("GET", path, headers: ["Accept": "text/html"].merging(headers) { $1 })
        for mark in [#"data-form-token=""#, #"name="form_token" value=""#] {
            guard let range = answer.text.range(of: mark) else { continue }
            formToken = String(answer.text[range.upperBound...].prefix { $0 != "\"" })
            break
        }
        return answer
    }

    /// Sends a form as a page of ours does.
    package func post(_ path: String, _ fields: [String: String], token: String? = nil) async throws -> Answer {
        let all = fields.merging(["form_token": token ?? formToken]) { given, _ in given }
        let body = all.map { "\(Self.escaped($0))=\(Self.escaped($1))" }.joined(separator: "&")
        return try await send(
            "POST", path,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"], body: Data(body.utf8)
        )
    }

    /// Sends JSON as a program does.
    package func call(_ path: String, _ fields: [String: Any], headers: [String: String] = [:]) async throws -> Answer {
        try await send(
            "POST", path,
            headers: ["Content-Type": "application/json", "X-Form-Token": formToken].merging(headers) { $1 },
            body: try JSONSerialization.data(withJSONObject: fields))
    }

    package func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data = Data()
    ) async throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
        lines += headers.map { "\($0): \($1)" }
        if !cookies.isEmpty { lines.append("Cookie: " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ")) }
        if !body.isEmpty || method == "POST" { lines.append("Content-Length: \(body.count)") }
        let request = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        let port = port
        let raw = try await Self.onThread { try Self.exchange(port, request, until: Self.isWhole) }
        let answer = Self.parse(raw)
        guard answer.status > 0 else { throw NoAnswer() }
        for (name, value) in answer.cookies { cookies[name] = value.isEmpty ? nil : value }
        return answer
    }

    /// Listens to events as this visitor.
    ///
    /// - Parameter headers: beside the cookies.
    package func listener(at path: String = "/api/events", headers: [String: String] = [:]) -> Listener {
        Listener(port: port, cookies: cookies, headers: headers, path: path)
    }

    package struct Listener: Sendable {
        package let port: Int
        let cookies: [String: String]
        let headers: [String: String]
        let path: String

        /// Reads the event stream until it has given `count` events or 30 s are over.
        package func events(_ count: Int, after id: String? = nil) async throws -> [[String: String]] {
            var lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
            if !cookies.isEmpty { lines.append("Cookie: " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ")) }
            lines += headers.map { "\($0): \($1)" }
            if let id { lines.append("Last-Event-ID: \(id)") }
            let request = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            let port = port
            let raw = try await Visitor.onThread {
                try Visitor.exchange(port, request) { Visitor.parseEvents($0).count >= count }
            }
            return Visitor.parseEvents(raw)
        }
    }

    private static func parseEvents(_ raw: Data) -> [[String: String]] {
        var events: [[String: String]] = []
        var event: [String: String] = [:]
        // The marks of chunked coding stand on lines of their own and name no field.
        for bytes in raw.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            for name in ["id", "event", "data"] where line.hasPrefix(name + ": ") {
                event[name] = String(line.dropFirst(name.count + 2))
            }
            if line.isEmpty, event["event"] != nil {
                events.append(event)
                event = [:]
            }
        }
        return events
    }

    private static func onThread<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
    }

    /// Whether an answer that says its length is there: a server that refused a body may keep the connection.
    private static func isWhole(_ raw: Data) -> Bool {
        let answer = parse(raw)
        guard let length = answer.headers["content-length"].flatMap({ Int($0) }) else { return false }
        return answer.body.count >= length
    }

    private static func exchange(_ port: Int, _ request: Data, until isEnough: (Data) -> Bool) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw NoAnswer() }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // A server that refuses a body doesn't read it to its end.
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw NoAnswer() }
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            // A server that refuses a large body stops listening: its answer is there all the same.
            guard count > 0 else { break }
            sent += count
        }
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isEnough(received) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received.append(contentsOf: buffer[0..<count])
        }
        return received
    }

    private static func parse(_ raw: Data) -> Answer {
        var answer = Answer()
        guard let end = raw.range(of: Data("\r\n\r\n".utf8)) else { return answer }
        let lines = String(decoding: raw[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        answer.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            if name == "set-cookie", let equals = value.firstIndex(of: "=") {
                answer.cookies[String(value[..<equals])] = String(
                    value[value.index(after: equals)...].prefix { $0 != ";" })
            }
            answer.headers[name] = value
        }
        answer.body = Data(raw[end.upperBound...])
        if answer.headers["transfer-encoding"]?.lowercased() == "chunked" { answer.body = unchunked(answer.body) }
        return answer
    }

    private static func unchunked(_ data: Data) -> Data {
        var rest = data[...]
        var body = Data()
        while let lineEnd = rest.range(of: Data("\r\n".utf8)),
            let length = Int(String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self), radix: 16), length > 0,
            rest.count >= length
        {
            let start = lineEnd.upperBound
            body.append(rest[start..<min(rest.endIndex, start + length)])
            guard start + length + 2 <= rest.endIndex else { break }
            rest = rest[(start + length + 2)...]
        }
        return body
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
