/// The short names of posts and cameras, which stand in records and on the command line.
package enum ShortName {
    package static let allowed = "1 to 20 letters, digits, \"-\" and \"_\""

    package static func isValid(_ text: String) -> Bool {
        (1...20).contains(text.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
}
