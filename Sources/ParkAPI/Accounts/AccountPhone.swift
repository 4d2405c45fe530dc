/// The telephone number of an account, with its country: a text is the post's own when it comes from it, and networks say the country with
/// each. `Tests/Contract/phones.json` holds this and the server's `account_phone` to the same answers.
package struct AccountPhone: Sendable, Equatable, CustomStringConvertible {
    /// `+9779841230000`
    package let description: String

    /// Typed as people write it: spaces, hyphens, dots and brackets are left out, `00` at the start is a plus. A mobile number of Nepal without
    /// its country (ten digits, from 96 to 98) gets it.
    ///
    /// - Throws: when its country can't be told, or it is no number.
    package init(_ typed: String) throws(Mistake) {
        var digits = String(typed.unicodeScalars.filter { !" -.()/\u{A0}".unicodeScalars.contains($0) })
        if digits.hasPrefix("00") { digits = "+" + digits.dropFirst(2) }
        if let match = digits.wholeMatch(of: #/(?:977|0)?(9[678][0-9]{8})/#) { digits = "+977" + match.1 }
        guard digits.wholeMatch(of: #/\+[1-9][0-9]{6,14}/#) != nil else {
            throw Mistake(typed: typed, isNumber: digits.wholeMatch(of: #/[0-9]{4,15}/#) != nil)
        }
        description = digits
    }

    package struct Mistake: Error, Sendable, Equatable, CustomStringConvertible {
        let typed: String

        /// It is a number, of a country that nobody can tell.
        package let isNumber: Bool

        package var description: String {
            (isNumber ? "\"\(typed)\" is without its country" : "\"\(typed)\" is no telephone number")
                + ": write it as +9779841230000. Texts from a number whose country is not known count for no post."
        }
    }
}
