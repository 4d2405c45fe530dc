extension PlateReading {
    /// Below this a reading is shown with its gaps instead of guesses.
    package static let completeConfidence = 0.7

    /// A doubtful reading with a gap for every character that could not be read: `KO ?? PA 403`.
    ///
    /// The guesses stay among the candidates. A reading that is sure as a whole, whose characters are all legible, or of
    /// which less than half was read, stays as it is. Gaps are never filled by the program: a ranger does.
    package func withGaps() -> PlateReading {
        guard confidence < Self.completeConfidence, let format = PlateFormat.named(format),
            let gapped = format.withGaps(plate, read: characters)
        else { return self }
        var partial = self
        partial.plate = gapped
        partial.candidates = Array(
            ([Candidate(plate: partial.plate, confidence: confidence)]
                + (candidates.isEmpty ? [Candidate(plate: plate, confidence: confidence)] : candidates))
                .prefix(Self.maximumCandidates))
        return partial
    }
}
