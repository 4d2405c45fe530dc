import HTTPTypes

/// What a client prefers (RFC 7240), as far as it is known here; the rest is ignored.
package struct Preferences: Sendable, Equatable {
    package enum Return: String, Sendable { case minimal, representation, headersOnly = "headers-only" }
    package enum Resolution: String, Sendable {
        case mergeDuplicates = "merge-duplicates", ignoreDuplicates = "ignore-duplicates"
    }

    package var returned = Return.minimal
    package var resolution: Resolution?
    package var counts = false
    /// A column that an object of the body doesn't have gets its default instead of null.
    package var usesDefaults = false

    package init(_ fields: HTTPFields) {
        let words = fields[values: .prefer].flatMap { $0.split(separator: ",") }
        for word in words {
            let pair = word.split(separator: "=", maxSplits: 1).map { $0.trimming(while: \.isWhitespace) }
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "return": returned = Return(rawValue: pair[1]) ?? returned
            case "resolution": resolution = Resolution(rawValue: pair[1]) ?? resolution
            // Planned and estimated counts are allowed to be exact.
            case "count": counts = ["exact", "planned", "estimated"].contains(pair[1])
            case "missing": usesDefaults = pair[1] == "default"
            default: break
            }
        }
    }
}

extension HTTPField.Name {
    package static let prefer = HTTPField.Name("Prefer")!
    package static let apiKey = HTTPField.Name("apikey")!
    package static let acceptProfile = HTTPField.Name("Accept-Profile")!
    package static let contentProfile = HTTPField.Name("Content-Profile")!
    package static let twilioSignature = HTTPField.Name("X-Twilio-Signature")!
    package static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    package static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}

extension Substring {
    package func trimming(while isTrimmed: (Character) -> Bool) -> String {
        var text = self
        while let first = text.first, isTrimmed(first) { text.removeFirst() }
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
