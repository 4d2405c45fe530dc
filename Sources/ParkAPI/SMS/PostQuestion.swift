import Enforcement

/// What the office asks a post by SMS: how it is, or to send texts once more.
///
/// `Q2.<post>.<number>.S.<signature>` or `Q2.<post>.<number>.T.<first>.<last>.<signature>`, for example
/// `Q2.J-A.TOUK16.T.1F.1J.9tEr3Wv6Lz0a`. The number is the second at which it was asked, or the one after the number before, to the base 36: a
/// post answers each number once, and none that is lower than one it has answered. The server writes it (`checkpost.ask_post`).
package struct PostQuestion: Hashable, Sendable {
    package enum Wish: Hashable, Sendable {
        /// How the post is: see ``PostAnswer``.
        case status
        /// Texts of version V2, by their numbers.
        case texts(ClosedRange<Int64>)
    }

    package var checkpostCode: String
    package var number: Int64
    package var wish: Wish
}

extension PostQuestion {
    private static let mark = "Q2."

    /// So many texts are asked for at a time.
    package static let mostTexts: Int64 = 10

    /// The digits of its number.
    static let longestNumber = 7

    /// Whether a text says that it is one.
    package static func isLike(_ text: String) -> Bool { SMSDecoder.trimmed(text).hasPrefix(mark) }

    /// Reads one that was signed with the post's key.
    ///
    /// - Throws: ``SMSFormatError`` for what is written otherwise, or signed with another key.
    package static func read(_ text: String, key: TextKey) throws(SMSFormatError) -> PostQuestion {
        guard text.utf8.count <= 1024 else { throw .tooLong(septets: text.utf8.count) }
        let text = SMSDecoder.trimmed(text)
        guard isLike(text) else { throw .unknownVersion(String(text.prefix(20))) }
        guard let (body, signature) = TextSignature.parts(of: text), key.hasMade(signature, of: body) else {
            throw .wrongSignature
        }
        let fields = body.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 4 else { throw .wrongFieldCount(fields.count) }
        guard let number = Base36.number(fields[2], longest: longestNumber) else { throw .wrongNumber(fields[2]) }
        return PostQuestion(checkpostCode: fields[1], number: number, wish: try wish(Array(fields[3...])))
    }

    private static func wish(_ fields: [String]) throws(SMSFormatError) -> Wish {
        if fields == ["S"] { return .status }
        guard fields.count == 3, fields[0] == "T" else { throw .wrongFieldCount(fields.count + 3) }
        guard let first = Base36.number(fields[1], longest: SignedSMS.longestNumber) else {
            throw .wrongNumber(fields[1])
        }
        guard let last = Base36.number(fields[2], longest: SignedSMS.longestNumber), last >= first,
            last - first < mostTexts
        else { throw .wrongNumber(fields[2]) }
        return .texts(first...last)
    }
}
