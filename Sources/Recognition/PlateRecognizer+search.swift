import Enforcement

/// The search for rows of glyphs where the places that the network shows didn't read well.
extension PlateRecognizer {
    /// Rows are searched around a sure place as far as this part of its size on each side: its sides are rough …
    private static let surroundings = 0.5

    /// … for at most so many places: a bound on the time.
    private static let maximumSearches = 2

    /// Rows in the whole picture; where the network is sure of a place, around it alone.
    func search(_ decoded: ImageDecoder.Decoded, _ detections: [PlateDetection]) -> [PlateCandidate] {
        let sure = detections.filter { $0.score >= parameters.search.sureScore }
        if sure.isEmpty { return finder.find(in: decoded.image) }
        return sure.prefix(Self.maximumSearches).flatMap { detection in
            detectionSearch.rows(
                around: detection.box.divided(by: decoded.reduction), reaching: Self.surroundings, of: decoded.image)
        }.sorted { $0.score > $1.score }
    }

    /// First what lies on a place that the network shows: a picture's lines that may be read are few. Of the others what
    /// looks like a plate, where there is such a place.
    func worthReading(_ candidates: [PlateCandidate], _ detections: [PlateDetection], _ reduction: Int)
        -> [PlateCandidate]
    {
        let isShown = candidates.map { candidate in
            let box = candidate.box.scaled(by: reduction)
            // Half of the row on the place: more than a row that passes by.
            return detections.contains {
                $0.score >= cascade.readableScore && 2 * $0.box.intersection(box).area > box.area
            }
        }
        let shown = zip(candidates, isShown).filter(\.1).map(\.0)
        let others = zip(candidates, isShown).filter { !$1 }.map(\.0)
        let isDetected = detections.contains { $0.score >= cascade.readableScore }
        return shown + others.filter { !isDetected || $0.score >= parameters.search.worthReading }
    }

    /// Looks for a plate's dark row where glyphs were too close to each other, or to the frame, to be seen as a row.
    func readAgain(
        _ detection: PlateDetection, _ decoded: ImageDecoder.Decoded, _ grounds: Grounds, besides found: [Found]
    ) -> Found? {
        let place = detection.box.divided(by: decoded.reduction)
        guard detection.score >= parameters.search.againScore,
            !found.contains(where: {
                $0.reading.confidence >= parameters.search.againConfidence
                    && $0.reading.box.intersection(place).area > 0
            }), var candidate = rowFinder.candidates(in: place, of: decoded.image, polarity: .darkOnLight).first
        else { return nil }
        candidate = candidate.placed(on: place)
        candidate.score *= parameters.search.againShare
        let ground = grounds.ground(in: detection.box)
        return reader.readLatin(candidate, in: decoded.image, colour: ground).map {
            Found(reading: $0, candidate: candidate, in: decoded.image)
        }
    }
}
