import Enforcement
import Plates

/// What rows and the whole plate say together (decision 0343).
extension PlateReading {
    /// Whether both are the same plate, whatever fonts draw alike.
    func saysTheSame(as other: PlateReading) -> Bool {
        LookAlike.folded(plate.compact) == LookAlike.folded(other.plate.compact)
    }

    /// The likelier one of two readings of a plate: this one of its rows, the other of the whole.
    func joined(with other: PlateReading, _ parameters: ReaderParameters.Whole) -> PlateReading {
        let isSame = saysTheSame(as: other)
        // Rows that fit a format of the region, which nothing fits by chance, are right more often than they are sure.
        let isOwn = PlateFormat.named(format).map { $0.country?.isCovered == true && !$0.isToldBySpaces } ?? false
        let own = isOwn ? probability(confidence, timesOdds: parameters.oddsOfOwnRows) : confidence
        let (likelier, less) = other.confidence > own && !isSame ? (other, self) : (self, other)
        var joined = likelier
        joined.confidence =
            isSame
            ? max(confidence, probability(mean(with: other), timesOdds: parameters.oddsOfSame))
            : probability(likelier.confidence, timesOdds: parameters.oddsOfOther)
        // What the rows don't say too is never sure.
        if !isSame, likelier == other { joined = joined.atMost(parameters.alone) }
        let share = likelier.confidence > 0 ? joined.confidence / likelier.confidence : 1
        var candidates = likelier.candidates
        for index in candidates.indices { candidates[index].confidence *= share }
        let named = Set(candidates.map(\.plate))
        candidates += less.candidates.filter { !named.contains($0.plate) }.map {
            Candidate(plate: $0.plate, confidence: min($0.confidence, joined.confidence))
        }
        // The plate itself stays first.
        joined.candidates = Array(
            (candidates.prefix(1) + candidates.dropFirst().sorted { $0.confidence > $1.confidence })
                .prefix(Self.maximumCandidates))
        joined.colour = colour ?? other.colour
        joined.glyphHeight = glyphHeight ?? other.glyphHeight
        return joined
    }

    /// Between both readings' confidences, by their odds.
    private func mean(with other: PlateReading) -> Double {
        let between = (odds(of: confidence) * odds(of: other.confidence)).squareRoot()
        return between / (1 + between)
    }
}
