import Enforcement
import HTTPClient

/// The fields that matter for frames, of an answer or of a part of a stream.
extension HTTPHead {
    /// Empty when the camera doesn't say.
    var contentType: String { self["content-type"] ?? "" }
    var contentLength: Int? { self["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }

    /// The camera's stamp, where it gives one.
    var timestamp: Instant? {
        ["x-timestamp", "x-time-stamp"].lazy.compactMap { self[$0] }.compactMap { Self.instant($0) }.first
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
