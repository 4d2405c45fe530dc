import Foundation

/// The status and the fields of an answer, or of a part of one.
package struct HTTPHead: Sendable, Equatable {
    /// Further fields are passed over, as is what a line has beyond the bound.
    private static let mostFields = 100
    package static let mostLineBytes = 4096

    /// 0 before an answer has begun.
    package private(set) var status = 0
    private var fields: [String: String] = [:]

    package init() {}

    /// One header line or status line. A status line begins anew: after a redirect or a login the last answer counts.
    package mutating func take(line: String) {
        let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ")
            self = HTTPHead()
            status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        guard fields.count < Self.mostFields || fields[name] != nil else { return }
        fields[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A field as it was sent, the last of its name; nil when there is none.
    ///
    /// - Parameter name: in lower-case letters.
    package subscript(name: String) -> String? { fields[name] }
}
