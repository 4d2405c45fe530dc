import Foundation

/// A number as somebody types it into a form.
enum TypedNumber {
    /// `40`, `40.5` or `४०,५`: up to four digits, and two behind the point.
    ///
    /// - Parameter most: how many digits before the point.
    /// - Returns: as a program writes it; nil for anything else.
    static func plain(_ text: String, digits most: Int = 4) -> String? {
        let plain = text.trimmingCharacters(in: .whitespaces).replacing(",", with: ".")
        let digits = String(plain.map { $0.wholeNumberValue.map { Character(String($0)) } ?? $0 })
        guard (digits.firstIndex(of: ".").map { digits[..<$0] } ?? digits[...]).count <= most else { return nil }
        return digits.wholeMatch(of: /[0-9]+(\.[0-9]{1,2})?/) == nil ? nil : Double(digits).map(RoadNumbers.text)
    }
}
