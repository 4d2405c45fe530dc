import Enforcement

/// How well plates of each format were read.
struct FormatTally: Encodable {
    struct Score: Encodable {
        var plates = 0
        var right = 0
        var found = 0
    }

    /// Zonal plates stand in two rows or in one; a box this many times as wide as it is high holds one, as a rule.
    private static let oneRow = 2.2

    private(set) var scores: [String: Score] = [:]

    mutating func add(_ entry: TruthTable.Entry, _ plate: Plate, isRight: Bool, isFound: Bool) {
        let name = Self.format(of: plate, entry)
        scores[name, default: Score()].plates += 1
        scores[name, default: Score()].right += isRight ? 1 : 0
        scores[name, default: Score()].found += isFound ? 1 : 0
    }

    func encode(to encoder: any Encoder) throws { try scores.encode(to: encoder) }

    /// The table for people; nil when all plates are of one format.
    var text: String? {
        guard scores.count > 1 else { return nil }
        var table = TextTable([("format", .left), ("plates", .right), ("right", .right), ("found", .right)])
        for (name, score) in scores.sorted(by: { $0.key < $1.key }) {
            table.add([name, "\(score.plates)", "\(score.right)", "\(score.found)"])
        }
        return table.text
    }

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
