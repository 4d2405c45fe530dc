import Foundation
import Hummingbird

/// What stands behind the question mark of an address, as a browser's form writes it there: a space is a plus.
package struct FormQuery: Sendable {
    private let values: [String: String]

    /// No address that is taken has more.
    private static let maximumFields = 100

    /// - Parameter query: without the question mark. The first value of a name counts; what can't be decoded is passed over.
    package init(_ query: String) {
        values = Dictionary(
            query.split(separator: "&").prefix(Self.maximumFields).compactMap { field in
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : "")
                else { return nil }
                return (name, value)
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    package func get(_ name: String) -> String? { values[name] }
}

extension Request {
    package var formQuery: FormQuery { FormQuery(uri.query ?? "") }
}
