import Foundation

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
