import Foundation

/// A number as somebody types it into a form.
enum TypedNumber {
    /// `40`, `40.5` or `४०,५`: up to four digits, and two behind the point.
    ///
    /// - Returns: as a program writes it; nil for anything else.
    static func plain(_ text: String) -> String? {
        let plain = text.trimmingCharacters(in: .whitespaces).replacing(",", with: ".")
        let digits = String(plain.map { $0.wholeNumberValue.map { Character(String($0)) } ?? $0 })
        return digits.wholeMatch(of: /[0-9]{1,4}(\.[0-9]{1,2})?/) == nil ? nil : Double(digits).map(RoadNumbers.text)
    }
}
