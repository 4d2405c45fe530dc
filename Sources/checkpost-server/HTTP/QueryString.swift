import Foundation

/// The parameters of a request in their order, decoded as forms are: `+` is a space.
package struct QueryString: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package static let itemLimit = 60

    package var items: [Item]

    /// - Throws: for what is not percent-encoded UTF-8, and for more than ``itemLimit`` parameters.
    package init(_ text: String?) throws(APIError) {
        items = []
        for part in (text ?? "").split(separator: "&") {
            guard items.count < Self.itemLimit else { throw .badQuery("more than \(Self.itemLimit) parameters") }
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            items.append(
                Item(name: try Self.decoded(pair[0]), value: pair.count > 1 ? try Self.decoded(pair[1]) : ""))
        }
    }

    /// The value of the only parameter of that name; nil when there is none.
    package func only(_ name: String) throws(APIError) -> String? {
        let found = items.filter { $0.name == name }
        guard found.count < 2 else { throw .badQuery("\(name) is given more than once") }
        return found.first?.value
    }

    private static func decoded(_ text: Substring) throws(APIError) -> String {
        guard let decoded = text.replacing("+", with: " ").removingPercentEncoding else {
            throw .badQuery("the query is not percent-encoded UTF-8")
        }
        return decoded
    }
}
