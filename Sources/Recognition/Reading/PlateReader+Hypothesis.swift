import Plates

extension PlateReader {
    /// What characters may be as a plate.
    struct Hypothesis {
        var results: [FormatMatcher.Result]
        var characters: [CharacterAlternatives]
        var confidence: Double

        /// What it is at most sure, for another reason than its glyphs.
        var bound: Double?

        mutating func limit(to bound: Double) {
            confidence = min(confidence, bound)
            self.bound = min(self.bound ?? bound, bound)
        }
    }
}
