import Foundation

extension JSONEncoder {
    /// Keys in a fixed order: equal values are equal bytes.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
