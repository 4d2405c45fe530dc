import Foundation

/// Countries by their two letters (ISO 3166-1).
package enum Country {
    package static let allowed = "two letters of ISO 3166, such as \"np\""

    package static func isCode(_ text: String) -> Bool {
        text.count == 2 && text.allSatisfy(\.isASCII) && Locale.Region(text.uppercased()).isISORegion
    }
}
