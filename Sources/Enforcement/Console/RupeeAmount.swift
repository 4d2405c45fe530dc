/// A sum in rupees as a person types it.
package enum RupeeAmount {
    package static let largest = 10_000_000.0

    /// Digits of Latin or Devanagari, with commas between groups (`1,500`, `1,00,000`) and at most two decimals; a full stop, or
    /// `/-` as on a bill, may end it.
    ///
    /// - Returns: nil for anything else: a comma is no decimal point, and `0x10` is no number.
    package static func parse(_ text: String) -> Double? {
        var latin = ""
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            latin += DevanagariAlphabet.digit(scalar).map(String.init) ?? String(scalar)
        }
        if latin.hasSuffix("/-") { latin.removeLast(2) } else if latin.hasSuffix(".") { latin.removeLast() }
        guard latin.utf8.count <= 20,
            latin.wholeMatch(of: /([0-9]+|[0-9]{1,3}(,[0-9]{2,3})*,[0-9]{3})(\.[0-9]{1,2})?/) != nil,
            let amount = Double(latin.filter { $0 != "," }), amount <= largest
        else { return nil }
        return amount
    }
}
