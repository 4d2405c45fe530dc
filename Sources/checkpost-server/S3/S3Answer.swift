import Foundation

/// What stands in the XML of an answer of S3. It is looked for by the names of its elements: of an answer only a few are wanted, and none of
/// them lies inside another of its name.
struct S3Answer {
    private let text: String

    init(_ body: Data) {
        text = String(decoding: body, as: UTF8.self)
    }

    /// The text of the first element of this name.
    func first(_ name: String) -> String? { all(name, most: 1).first }

    func all(_ name: String, most: Int) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while found.count < most, let start = rest.range(of: "<\(name)>") {
            guard let end = rest.range(of: "</\(name)>", range: start.upperBound..<rest.endIndex) else { break }
            found.append(Self.plain(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func plain(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#34;", "\""), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
