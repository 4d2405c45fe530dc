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
        guard let (fields, format) = devanagari(plate, raw: raw) else { return plate.compact }
        return parts(fields, format, seen: raw.filter { !$0.isWhitespace })?.joined()
    }

    /// A plate as people who read Devanagari know it, beside its canonical form. Where canonical Latin doesn't say everything, it is
    /// what the reader saw, else the plainest: स for SA, the province as its number.
    ///
    /// - Parameter raw: what the reader saw, if it is known.
    /// - Returns: nil for a plate in Latin, and for one that isn't whole.
    ///
    /// Example: BA 1 PA 1234 is `बा १ प १२३४`, P3 02 037 PA 1643 is `प्रदेश ३-०२ ०३७ प १६४३`.
    package static func shown(_ plate: Plate, raw: String = "") -> String? {
        guard !plate.isPartial, let (fields, format) = devanagari(plate, raw: raw) else { return nil }
        var parts = parts(fields, format, seen: raw.filter { !$0.isWhitespace }, isPlain: true) ?? []
        guard let heading = format.heading, let province = parts.first else { return parts.joined(separator: " ") }
        if let word = heading.words.compactMap({ province.range(of: $0, options: .literal) }).first {
            parts[0] = [province[..<word.lowerBound], province[word], province[word.upperBound...]]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        return parts[0] + "-" + parts.dropFirst().joined(separator: " ")
    }

    /// The fields of a plate that is painted in Devanagari; nil for a Latin one.
    private static func devanagari(_ plate: Plate, raw: String) -> (fields: [String], format: PlateFormat)? {
        let fitting = PlateFormat.covered.compactMap { format in
            format.fields(compactLatin: plate.compact).map { (fields: $0, format: format) }
        }
        let wasDevanagari = raw.unicodeScalars.contains(where: DevanagariAlphabet.isDevanagari)
        guard let painted = fitting.first(where: { $0.format.script == .devanagari }) else { return nil }
        // KA 1 PA 1234 may be of a zone of Nepal or of a state of India.
        let mayBeForeign = fitting.contains {
            $0.format.script == .latin && $0.format.country != painted.format.country
        }
        // Nepal's zonal plates are painted in Latin letters, too: what was read so to the letter is one.
        let wasLatin = raw.filter { $0.isLetter || $0.isNumber } == plate.compact
        return wasDevanagari || !(mayBeForeign || wasLatin) ? painted : nil
    }

    /// The fields as they are painted.
    ///
    /// - Parameter isPlain: whether a heading that wasn't seen is written with its number.
    private static func parts(
        _ fields: [String], _ format: PlateFormat, seen: String, isPlain: Bool = false
    ) -> [String]? {
        var parts: [String] = []
        for (index, (slot, field)) in zip(format.slots, fields).enumerated() {
            let part: String?
            if index == 0, let heading = format.heading {
                let plain = isPlain ? heading.words.first.map { $0 + DevanagariAlphabet.digits(field) } : nil
                part = self.heading(heading, field, seen: seen) ?? plain
            } else if case .only(let symbols) = slot.symbols {
                let spellings = symbols.filter { $0.value == field }.keys
                part = index == 0 ? opening(spellings, seen: seen) : syllable(spellings, seen: seen)
            } else {
                part = DevanagariAlphabet.digits(field)
            }
            guard let part else { return nil }
            parts.append(part)
        }
        return parts
    }

    /// `प्रदेश३`, or the name as it was painted.
    private static func heading(_ heading: PlateFormat.Heading, _ field: String, seen: String) -> String? {
        for word in heading.words {
            guard let range = seen.range(of: word, options: .literal) else { continue }
            let name = String(seen[..<range.lowerBound])
            if name.isEmpty { return word + DevanagariAlphabet.digits(field) }
            return heading.field(named: name) == field ? name + word : nil
        }
        return heading.names.filter { $0.value == field && seen.hasPrefix($0.key) }.keys.max(by: isShorter)
    }

    /// The first syllable: the longest spelling that the reader saw first, सा rather than स, else the plainest.
    private static func opening(_ spellings: some Collection<String>, seen: String) -> String? {
        spellings.filter { seen.hasPrefix($0) }.max(by: isShorter) ?? spellings.min(by: isShorter)
    }

    /// A later syllable: with its sign where the reader saw it so, पा rather than प, else the plainest.
    private static func syllable(_ spellings: some Collection<String>, seen: String) -> String? {
        spellings.filter { $0.unicodeScalars.count > 1 && seen.dropFirst().contains($0) }.max(by: isShorter)
            ?? spellings.min(by: isShorter)
    }

    private static func isShorter(_ left: String, _ right: String) -> Bool {
        (left.unicodeScalars.count, left) < (right.unicodeScalars.count, right)
    }
}
