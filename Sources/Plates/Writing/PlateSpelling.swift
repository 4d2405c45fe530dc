import Foundation

/// Writes a plate as it stands on the vehicle, in its own script: what a reader is taught with.
///
/// Canonical Latin doesn't say everything: `P3` is painted as a number or as a name, `SA` as स or सा. What the reader saw
/// decides; where it saw nothing of the kind, the plate can't be spelled.
package enum PlateSpelling {
    /// - Parameters:
    ///   - plate: what a person said it is.
    ///   - raw: what the reader saw, rows separated by a space.
    /// - Returns: the text from the upper row to the lower, without spaces, dots or dashes; nil when it can't be told.
    ///
    /// Example: BA 1 PA 1234 is `बा१प१२३४`; P3 02 037 PA 1643 is `बागमतीप्रदेश०२०३७प१६४३` where the name was seen.
    package static func painted(_ plate: Plate, raw: String) -> String? {
        guard !plate.isPartial else { return nil }
        let zonal = PlateFormat.nepalZonal.fields(compactLatin: plate.compact)
        let provincial = PlateFormat.nepalProvincial.fields(compactLatin: plate.compact)
        let isIndian = PlateFormat.india.fields(compactLatin: plate.compact) != nil
        let wasDevanagari = raw.unicodeScalars.contains(where: DevanagariAlphabet.isDevanagari)
        guard zonal != nil || provincial != nil, wasDevanagari || !isIndian else { return plate.compact }
        let seen = raw.filter { !$0.isWhitespace }
        if let zonal { return self.zonal(zonal, seen) }
        return provincial.flatMap { self.provincial($0, seen) }
    }

    private static func zonal(_ fields: [String], _ seen: String) -> String? {
        let spellings = DevanagariAlphabet.zones.filter { $0.value == fields[0] }.keys
        let zone =
            spellings.filter { seen.hasPrefix($0) }.max { $0.unicodeScalars.count < $1.unicodeScalars.count }
            ?? DevanagariAlphabet.devanagari(zone: fields[0])
        guard let zone, let letter = letter(fields[2], seen) else { return nil }
        return zone + digits(fields[1]) + letter + digits(fields[3])
    }

    private static func provincial(_ fields: [String], _ seen: String) -> String? {
        guard let start = province(fields[0], seen), let letter = letter(fields[3], seen) else { return nil }
        return start + digits(fields[1]) + digits(fields[2]) + letter + digits(fields[4])
    }

    /// `प्रदेश३`, or the name as it was painted.
    private static func province(_ number: String, _ seen: String) -> String? {
        for word in DevanagariAlphabet.provinceWords {
            guard let range = seen.range(of: word, options: .literal) else { continue }
            let name = String(seen[..<range.lowerBound])
            if name.isEmpty { return word + digits(number) }
            let meant =
                DevanagariAlphabet.provinces.first { $0.name == name }?.number
                ?? DevanagariAlphabet.provinceAbbreviations[name]
            return meant.map(String.init) == number ? name + word : nil
        }
        return DevanagariAlphabet.provinces.first { String($0.number) == number && seen.hasPrefix($0.name) }?.name
    }

    /// The class letter; पा where the reader saw it so.
    private static func letter(_ latin: String, _ seen: String) -> String? {
        let spellings = DevanagariAlphabet.classes.filter { $0.value == latin }.keys
        let longer = spellings.filter { $0.unicodeScalars.count > 1 && seen.dropFirst().contains($0) }
        return longer.first ?? DevanagariAlphabet.devanagari(class: latin)
    }

    private static func digits(_ text: String) -> String {
        text.compactMap { $0.wholeNumberValue }.map(DevanagariAlphabet.devanagariDigit).joined()
    }
}
