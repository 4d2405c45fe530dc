/// Text from outside on its way into the log.
package enum LogText {
    /// The text in one line of at most so many characters: what could end the line, colour a terminal or turn the direction of writing
    /// is written as its number. Example: `a⏎b` becomes `a\u{A}b`.
    package static func of(_ text: String, limit: Int = 200) -> String {
        var safe = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return safe + "…" }
            count += 1
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
