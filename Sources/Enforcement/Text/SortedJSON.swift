import Foundation

extension JSONEncoder {
    /// Keys in a fixed order: equal values are equal bytes.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// For people and their programs: moments as ISO 8601 instead of milliseconds.
    package static var shown: JSONEncoder {
        let encoder = sorted
        if let key = CodingUserInfoKey.momentsAsText { encoder.userInfo[key] = true }
        return encoder
    }
}

extension CodingUserInfoKey {
    /// Set where moments are to be written as ISO 8601.
    static let momentsAsText = CodingUserInfoKey(rawValue: "moments as text")
}
