import Foundation

/// Countries by their two letters (ISO 3166-1).
enum Country {
    static let allowed = "two letters of ISO 3166, such as \"np\""

    static func isCode(_ text: String) -> Bool {
        text.count == 2 && text.allSatisfy(\.isASCII) && Locale.Region(text.uppercased()).isISORegion
    }
}
