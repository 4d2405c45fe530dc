import HTTPTypes
import Hummingbird

/// What a request may be at most, before anybody looks at who sent it.
package enum RequestBounds {
    /// A list of 300 ids fits; what is longer is asked in pieces.
    package static let targetBytes = 16_384
    package static let fieldLimit = 100
    package static let fieldBytes = 32_768

    /// What the parser of HTTP takes, a little more than what is judged here, so that most answers have words of their own.
    package static let parserFieldBytes = 65_536
    package static let parserFieldLimit = 200

    /// - Throws: 414 or 431.
    package static func check(_ request: Request) throws(APIError) {
        guard request.uri.string.utf8.count <= targetBytes else {
            throw APIError(
                .uriTooLong, "414", "The address has more than \(targetBytes) bytes",
                hint: "Ask for fewer things at a time.")
        }
        var bytes = 0
        for field in request.headers { bytes += field.name.rawName.utf8.count + field.value.utf8.count + 4 }
        guard request.headers.count <= fieldLimit, bytes <= fieldBytes else {
            throw APIError(
                .requestHeaderFieldsTooLarge, "431",
                "The header has more than \(fieldLimit) fields or \(fieldBytes) bytes")
        }
    }
}
