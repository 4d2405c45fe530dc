import Enforcement

/// The search for rows of glyphs where the places that the network shows didn't read well.
extension PlateRecognizer {
    /// Where the network is this sure of a place, rows are searched around it alone …
    private static let sureScore = 0.75

    /// … as far as this part of its size on each side …
    private static let surroundings = 0.5

    /// … for at most so many places.
    private static let maximumSearches = 2

    /// A row away from the places that the network shows is read from this score on.
    private static let worthReading = 0.5

    /// Rows in the whole picture; where the network is sure of a place, around it alone.
    func search(_ decoded: ImageDecoder.Decoded, _ spots: [PlateSpot]) -> [PlateCandidate] {
        let sure = spots.filter { $0.score >= Self.sureScore }
        if sure.isEmpty { return finder.find(in: decoded.image) }
        return sure.prefix(Self.maximumSearches).flatMap { spot in
            spotSearch.rows(
                around: spot.box.divided(by: decoded.reduction), reaching: Self.surroundings, of: decoded.image)
        }.sorted { $0.score > $1.score }
    }

    /// First what lies on a place that the network shows: a picture's lines that may be read are few. Of the others what
    /// looks like a plate, where there is such a place.
    func worthReading(_ candidates: [PlateCandidate], _ spots: [PlateSpot], _ reduction: Int) -> [PlateCandidate] {
        let isShown = candidates.map { candidate in
            let box = candidate.box.scaled(by: reduction)
            return spots.contains { $0.score >= Self.readableScore && 2 * $0.box.intersection(box).area > box.area }
        }
        let shown = zip(candidates, isShown).filter(\.1).map(\.0)
        let others = zip(candidates, isShown).filter { !$1 }.map(\.0)
        let isSpotted = spots.contains { $0.score >= Self.readableScore }
        return shown + others.filter { !isSpotted || $0.score >= Self.worthReading }
    }
}
