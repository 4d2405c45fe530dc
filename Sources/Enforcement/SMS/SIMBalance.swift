import Foundation

/// Reads what a prepaid SIM has left out of what its operator says.
///
/// Operators say it in one sentence, each in its own words: "Your balance is Rs. 35.20, valid till 2027-01-03", "Main Balance:NRs1,204.5".
package enum SIMBalance {
    private static let words = ["balance", "credit", "remaining", "मौज्दात", "ब्यालेन्स"]
    private static let currencies = ["nrs", "npr", "rs", "inr", "btn", "nu", "bdt", "tk", "रु"]

    /// The sum in the operator's currency; nil where the text names none.
    ///
    /// The first number behind a currency or behind a word for a balance counts. A number without either may be anything: a date, a code, a
    /// telephone number.
    package static func amount(in text: String) -> Double? {
        // A text message is short; what isn't is no operator's.
        let text = String(text.prefix(1000)).lowercased()
        let behindCurrency = currencies.lazy.compactMap { amount(in: text, behind: $0, within: 2, asWord: true) }.first
        return behindCurrency ?? words.lazy.compactMap { amount(in: text, behind: $0, within: 12, asWord: false) }.first
    }

    /// - Parameters:
    ///   - distance: how many characters that are no digits may stand between.
    ///   - asWord: whether no letter may stand before it: "rs" is no currency in "offers".
    private static func amount(in text: String, behind mark: String, within distance: Int, asWord: Bool) -> Double? {
        var rest = text[...]
        while let found = rest.range(of: mark) {
            let before = found.lowerBound == text.startIndex ? nil : text[text.index(before: found.lowerBound)]
            rest = rest[found.upperBound...]
            if asWord, let before, before.isLetter { continue }
            let gap = rest.prefix { !$0.isNumber }
            guard gap.count <= distance, gap.allSatisfy({ !$0.isLetter || !asWord }) else { continue }
            if let amount = number(rest.dropFirst(gap.count)) { return amount }
        }
        return nil
    }

    /// `1,204.50` and `१२०४.५` alike; nil for a date or a longer number than any balance has.
    private static func number(_ text: Substring) -> Double? {
        let raw = text.prefix { $0.isNumber || $0 == "," || $0 == "." }
        let digits = raw.compactMap { character -> Character? in
            if character == "," { return nil }
            return character == "." ? "." : character.wholeNumberValue.flatMap { "\($0)".first }
        }
        let plain = String(digits).trimmingCharacters(in: ["."])
        let next = text.dropFirst(raw.count).first
        guard plain.count <= 12, next != "-", next != "/", next != ":" else { return nil }
        return Double(plain)
    }
}
