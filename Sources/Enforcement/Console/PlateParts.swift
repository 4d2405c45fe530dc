/// A plate cut into the parts that a reader saw as one thing each, with what else each may be: what a ranger taps to mend one
/// character.
package struct PlateParts: Sendable, Equatable {
    package struct Part: Sendable, Equatable, Codable {
        /// In Latin, as in the compact plate: a digit, a letter, or a syllable such as `CHA`.
        package var current: String

        /// Likelier ones first; without `current`.
        package var alternatives: [String]
    }

    package var parts: [Part]

    package static let maximumAlternatives = 3

    /// Less likely alternatives of the reader are no help.
    private static let minimumProbability = 0.01

    /// Cuts the plate of a reading. Where the reader's characters don't make up the plate, it is cut into its letters and
    /// digits. What looks alike is added to what the reader thought of. A gap offers what the reader thought of.
    package init(_ reading: PlateReading) {
        let compact = reading.plate.compact
        if let fitted = Self.fit(reading.characters, to: compact) {
            parts = fitted
        } else {
            parts = compact.map { Part(current: String($0), alternatives: []) }
        }
        for index in parts.indices where parts[index].current.count == 1 {
            guard let character = parts[index].current.first, character != Plate.gap else { continue }
            let isDigit = character.isNumber
            let alike = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".filter {
                $0 != character && $0.isNumber == isDigit && LookAlike.areAlike($0, character)
            }
            for other in alike where !parts[index].alternatives.contains(String(other)) {
                parts[index].alternatives.append(String(other))
            }
        }
        for index in parts.indices {
            parts[index].alternatives = Array(parts[index].alternatives.prefix(Self.maximumAlternatives))
        }
    }

    private static func distinctLatin(_ alternatives: [CharacterAlternatives.Alternative]) -> [String] {
        var seen = Set<String>()
        return alternatives.compactMap { PlateNormalizer.normalize($0.symbol)?.compact }
            .filter { seen.insert($0).inserted }
    }

    /// Finds which alternative of each character stands in the plate. A format's prefix (the `P` of a province) is no
    /// character; it becomes a part of its own.
    private static func fit(_ characters: [CharacterAlternatives], to compact: String) -> [Part]? {
        guard !characters.isEmpty, characters.count <= compact.count else { return nil }
        // A format may have chosen what the reader hardly thought of, so all alternatives can stand in the plate.
        let latin = characters.map { distinctLatin($0.alternatives) }
        let likely = characters.map { distinctLatin($0.alternatives.filter { $0.probability >= minimumProbability }) }
        func take(_ index: Int, _ rest: Substring) -> [Part]? {
            if index == latin.count { return rest.isEmpty ? [] : nil }
            if rest.first == Plate.gap, let further = take(index + 1, rest.dropFirst()) {
                return [Part(current: String(Plate.gap), alternatives: likely[index])] + further
            }
            for choice in latin[index] where rest.hasPrefix(choice) {
                if let further = take(index + 1, rest.dropFirst(choice.count)) {
                    return [Part(current: choice, alternatives: likely[index].filter { $0 != choice })] + further
                }
            }
            return nil
        }
        for prefixLength in 0...1 {
            if let parts = take(0, compact.dropFirst(prefixLength)) {
                let prefix = String(compact.prefix(prefixLength))
                return (prefix.isEmpty ? [] : [Part(current: prefix, alternatives: [])]) + parts
            }
        }
        return nil
    }
}
