import Enforcement

/// How well plates of each format were read.
package struct FormatTally: Encodable {
    package struct Score: Encodable {
        package var plates = 0
        package var right = 0
        package var found = 0
    }

    /// Zonal plates stand in two rows or in one; a box this many times as wide as it is high holds one, as a rule.
    private static let oneRow = 2.2

    package private(set) var scores: [String: Score] = [:]

    mutating func add(_ entry: TruthTable.Entry, _ plate: Plate, isRight: Bool, isFound: Bool) {
        let name = Self.format(of: plate, entry)
        scores[name, default: Score()].plates += 1
        scores[name, default: Score()].right += isRight ? 1 : 0
        scores[name, default: Score()].found += isFound ? 1 : 0
    }

    package func encode(to encoder: any Encoder) throws { try scores.encode(to: encoder) }

    private static func format(of plate: Plate, _ entry: TruthTable.Entry) -> String {
        // A table without countries is of Nepal.
        let country = entry.country.isEmpty ? "np" : entry.country
        let known = PlateFormat.covered.first {
            $0.country?.code == country && $0.fields(compactLatin: plate.compact) != nil
        }
        if let known {
            let isWide = Double(entry.box.width) >= oneRow * Double(max(1, entry.box.height))
            return known.name + (known.name == PlateFormat.nepalZonal.name && isWide ? ", wide" : "")
        }
        return entry.country.isEmpty ? "other" : entry.country
    }
}
