import Enforcement
import Foundation
import HTTPClient

/// Takes a `multipart/x-mixed-replace` stream apart as cameras send it, not only as RFC 2046 has it: with and without
/// Content-Length, with the boundary's dashes doubled or missing, with bare line feeds, with garbage between the parts.
struct MultipartParser: Sendable {
    struct Part: Equatable, Sendable {
        var head: HTTPHead
        var body: Data
        /// When the part began to come: nearer to its capture than its end is.
        var arrival: Instant
    }

    enum Failure: Error, Equatable {
        case partTooLarge
        case headTooLarge
    }

    static let largestPart = 20 << 20
    static let largestHead = 16 << 10

    private enum State {
        case betweenParts
        case head
        case body(HTTPHead, Instant)
    }

    /// The boundary without dashes around it. Empty: the first line that begins with two dashes shows it.
    private var token: [UInt8]
    private var buffer: [UInt8] = []
    private var searched = 0
    private var state = State.betweenParts

    init(boundary: String) {
        token = Self.stripped(Array(boundary.utf8)[...])
    }

    /// - Returns: the parts that are complete with these bytes.
    mutating func feed(_ bytes: some Sequence<UInt8>, at now: Instant) throws(Failure) -> [Part] {
        buffer.append(contentsOf: bytes)
        var parts: [Part] = []
        while true {
            switch state {
            case .betweenParts:
                guard skipToHead() else { return parts }
                state = .head
            case .head:
                guard let head = try takeHead() else { return parts }
                state = .body(head, now)
            case .body(let head, let arrival):
                guard let body = try takeBody(head) else { return parts }
                parts.append(Part(head: head, body: body, arrival: arrival))
                state = .betweenParts
            }
        }
    }

    /// Drops lines up to and with a boundary line.
    private mutating func skipToHead() -> Bool {
        while let end = buffer[searched...].firstIndex(of: 0x0A) {
            let line = buffer[..<end]
            let isBoundary = matches(line)
            drop(end + 1)
            if isBoundary { return true }
        }
        // Garbage without a line end is not kept, but for the beginning of a boundary that it may end with.
        if buffer.count > Self.largestHead { drop(buffer.count - 256) }
        searched = buffer.count
        return false
    }

    private mutating func takeHead() throws(Failure) -> HTTPHead? {
        var head = HTTPHead()
        var start = 0
        while let end = buffer[start...].firstIndex(of: 0x0A) {
            let line = buffer[start..<end]
            start = end + 1
            if line.isEmpty || line.elementsEqual([0x0D]) {
                drop(start)
                return head
            }
            head.take(line: String(decoding: line, as: UTF8.self))
            guard start <= Self.largestHead else { throw .headTooLarge }
        }
        guard buffer.count <= Self.largestHead else { throw .headTooLarge }
        return nil
    }

    private mutating func takeBody(_ head: HTTPHead) throws(Failure) -> Data? {
        if let length = head.contentLength {
            guard length <= Self.largestPart else { throw .partTooLarge }
            guard buffer.count >= length else { return nil }
            let body = Data(buffer[..<length])
            drop(length)
            return body
        }
        if let end = boundaryStart() {
            let body = Data(buffer[..<end])
            drop(end)
            return body
        }
        guard buffer.count <= Self.largestPart else { throw .partTooLarge }
        return nil
    }

    /// Where a body without a length ends: before the line break and the dashes in front of the next boundary.
    private mutating func boundaryStart() -> Int? {
        guard let first = token.first else { return nil }
        var from = searched
        while from < buffer.count, let found = find(first, from: from) {
            guard found + token.count < buffer.count else { break }
            from = found + 1
            guard buffer[found..<found + token.count].elementsEqual(token) else { continue }
            var start = found
            while start > 0, buffer[start - 1] == 0x2D { start -= 1 }
            let hasBreak = start > 0 && buffer[start - 1] == 0x0A
            // Coded data may hold anything: a boundary begins a line, or has its dashes and follows a JPEG's end at once.
            let followsEnd = found - start >= 2 && start >= 2 && buffer[start - 2] == 0xFF && buffer[start - 1] == 0xD9
            guard hasBreak || followsEnd else { continue }
            if hasBreak { start -= start > 1 && buffer[start - 2] == 0x0D ? 2 : 1 }
            return start
        }
        searched = max(0, min(from, buffer.count - token.count))
        return nil
    }

    private func find(_ byte: UInt8, from: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + from, Int32(byte), bytes.count - from) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func matches(_ line: ArraySlice<UInt8>) -> Bool {
        let name = Self.stripped(line)
        if token.isEmpty, line.starts(with: [0x2D, 0x2D]), !name.isEmpty { token = name }
        return !token.isEmpty && name == token
    }

    private mutating func drop(_ count: Int) {
        buffer.removeFirst(min(count, buffer.count))
        searched = 0
    }

    /// Without dashes and white space around it.
    private static func stripped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        func isPadding(_ byte: UInt8) -> Bool { byte == 0x2D || byte <= 0x20 }
        let front = bytes.drop(while: isPadding)
        return Array(front.reversed().drop(while: isPadding).reversed())
    }
}
