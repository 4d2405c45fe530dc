import Foundation

/// What JSON may be at most. Looked at in the bytes, before anything is built of them.
package enum JSONBounds {
    package static let depthLimit = 32
    package static let valueLimit = 100_000
    package static let numberLength = 64

    /// - Throws: 400 for JSON that is nested deeper, has more values, or has a longer number. Whether it is JSON at all is for others
    ///   to say.
    package static func check(_ data: Data, depth depthLimit: Int = depthLimit) throws(APIError) {
        var depth = 0
        var values = 0
        var numberLength = 0
        var isText = false
        var isEscaped = false
        for byte in data {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
                guard depth <= depthLimit else { throw .badBody("The JSON is nested deeper than \(depthLimit) levels") }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            let isNumber =
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "-")
            numberLength = isNumber ? numberLength + 1 : 0
            guard numberLength <= Self.numberLength else {
                throw .badBody("A number has more than \(Self.numberLength) characters")
            }
            guard values <= valueLimit else { throw .badBody("The JSON has more than \(valueLimit) values") }
        }
    }
}
