import Enforcement
import Plates

/// Plates that one way of telling ink from ground makes by itself.
extension PlateReader {
    /// As many ways that make the same plate are enough; what one alone made is this likely.
    private static let enough = 2
    private static let chanceOfOne = 0.6

    /// The likeliest plate with one row as one way of telling its glyphs read it. Where the glyphs of a row run together in most ways, their
    /// vote is none: a network that reads the line whole often reads it right in the one that keeps them apart.
    ///
    /// - Parameter read: the rows by vote, which stand for the others.
    /// - Returns: never sure: the other ways say something else.
    func byOneWay(
        _ read: [RowReading], of candidate: PlateCandidate, as model: ScriptModel, _ colour: PlateColour?
    ) -> Hypothesis? {
        var plates: [String: (plate: Hypothesis, ways: Int)] = [:]
        for (index, row) in candidate.rows.enumerated() {
            for way in Binarisation.allCases {
                guard var look = looked[LookKey(row: RowKey(row, model), way: way)], !look.characters.isEmpty else {
                    continue
                }
                look.glyphs = look.characters.count
                var rows = read
                rows[index] = look
                guard let plate = best(of: rows, candidate, model.script, colour),
                    let compact = plate.results.first?.plate.compact
                else { continue }
                let known = plates[compact]
                let isBetter = plate.confidence > known?.plate.confidence ?? 0
                plates[compact] = (isBetter ? plate : known?.plate ?? plate, (known?.ways ?? 0) + 1)
            }
        }
        return plates.values.map { found in
            var plate = found.plate
            if found.ways < Self.enough { plate.confidence *= Self.chanceOfOne }
            plate.limit(to: parameters.cascade.lostEndConfidence)
            return plate
        }.max {
            ($0.confidence, $1.results.first?.plate.compact ?? "") < (
                $1.confidence, $0.results.first?.plate.compact ?? ""
            )
        }
    }
}
