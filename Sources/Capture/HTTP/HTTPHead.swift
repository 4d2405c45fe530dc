import Enforcement

/// The status and those headers of an answer, or of a part of one, that matter for frames.
struct HTTPHead: Sendable, Equatable {
    var status = 0
    var contentType = ""
    var contentLength: Int?
    /// The camera's stamp, where it gives one.
    var timestamp: Instant?

    /// One header line or status line. A status line begins anew: after a redirect or a login the last answer counts.
    mutating func take(line: String) {
        let line = line.trimmingWhitespace()
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ")
            self = HTTPHead(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = String(line[line.index(after: colon)...]).trimmingWhitespace()
        switch line[..<colon].lowercased() {
        case "content-type": contentType = value
        case "content-length": contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "x-timestamp", "x-time-stamp": timestamp = Self.instant(value)
        default: break
        }
    }

    /// The boundary between the parts of a stream, as the camera wrote it; nil when this is no stream of parts.
    var boundary: String? {
        guard contentType.lowercased().hasPrefix("multipart/") else { return nil }
        for field in contentType.split(separator: ";").dropFirst() {
            let pair = field.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace() }
            guard pair.count == 2, pair[0].lowercased() == "boundary" else { continue }
            return pair[1].hasPrefix("\"") ? String(pair[1].dropFirst().prefix { $0 != "\"" }) : pair[1]
        }
        return ""
    }

    /// Seconds since 1970 with a fraction, milliseconds since 1970, or ISO 8601. Seconds since the camera started, which some
    /// send, are no time: nil, as for anything outside 2000 to 2099.
    static func instant(_ text: String) -> Instant? {
        var instant = Instant(iso8601: text)
        if instant == nil, let number = Double(text), number.isFinite, (0..<1e14).contains(number) {
            instant = number >= 1e11 ? Instant(milliseconds: Int64(number)) : Instant(seconds: number)
        }
        return instant.flatMap { (2000..<2100).contains(CivilTime($0).year) ? $0 : nil }
    }
}

extension String {
    func trimmingWhitespace() -> String {
        let front = drop { $0.isWhitespace }
        return String(front.reversed().drop { $0.isWhitespace }.reversed())
    }
}
