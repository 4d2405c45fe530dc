import Enforcement
import Plates

/// Painted plates: they are looked for by their colour, and read in Devanagari.
extension PlateRecognizer {
    /// At most this many coloured places are read.
    private static let maximumPlaces = 4

    /// A patch that the network takes for a plate with less than this part of the likeliest place's probability is none …
    private static let leastShare = 0.5

    /// … unless it looks this much like one by its outline.
    private static let clearOutline = 0.6

    /// A patch and a spot that overlap by more than this are one place.
    static let samePlace = 0.4

    /// What reads this surely in Latin isn't painted, …
    private static let latinConfidence = 0.5

    /// … nor is a row of five and more characters that are this sure, whether a format fits them or not.
    private static let latinSureness = 0.85

    /// Where something was read in Latin well enough not to be tried in Devanagari, in stored pixels.
    func latinPlaces(_ found: [Found], _ reduction: Int) -> [Box] {
        let readings = found.map(\.reading).filter {
            $0.confidence >= Self.latinConfidence && PlateFormat.named($0.format)?.script == .latin
        }.map(\.box)
        let rows = reader.rows.filter { key, row in
            key.script == .latin && row.characters.count > 4 && row.sureness >= Self.latinSureness
        }.map(\.key.box)
        return (readings + rows).map { $0.scaled(by: reduction) }
    }

    /// Reads patches of a plate's colour, and places with light writing that the network shows, as painted plates.
    ///
    /// - Parameters:
    ///   - reduction: of the decoded picture, in whose pixels the readings' boxes are.
    ///   - latin: where Latin was read: those places are left out.
    ///   - tried: places that were read so already.
    func readPainted(
        _ reduction: Int, patches: [ColourPlateFinder.Place], spots: [PlateSpot], _ grounds: Grounds,
        besides latin: [Box] = [], tried: [PlateSpot] = []
    ) -> [Found] {
        func isLatin(_ place: Box) -> Bool { latin.contains { 2 * $0.intersection(place).area > $0.area } }
        let best = (patches.map { rank(of: $0.box, spots) } + spots.map(\.score)).max() ?? 0
        let likely = patches.map { (place: $0, ground: Optional($0.colour.ground), rank: rank(of: $0.box, spots)) }
            .filter {
                !isLatin($0.place.box) && ($0.rank >= Self.leastShare * best || $0.place.score >= Self.clearOutline)
            }
        let bare = spots.filter { spot in
            spot.score >= max(Self.readableScore, Self.leastShare * best) && !isLatin(spot.box)
        }
        guard !likely.isEmpty || !bare.isEmpty, let map = grounds.map, let colours = grounds.picture else { return [] }
        reader.startColours()
        // A patch has the plate's outline, a spot its box alone. White patches on a dark spot are its writing or its border.
        let light = bare.filter { colours.isDark($0.box) || map.isPainted($0.box) }
        let painted = likely.filter { patch in
            patch.place.colour != .white || !light.contains { $0.box.overlap(patch.place.box) > Self.samePlace }
        }
        let shown = light.filter { spot in
            !tried.contains(spot) && !painted.contains { $0.place.box.overlap(spot.box) > Self.samePlace }
        }.map(Self.painted)
        let places = painted + shown.map { (place: $0, ground: grounds.ground(in: $0.box), rank: $0.score) }
        var found: [Found] = []
        for (place, ground, rank) in places.sorted(by: { $0.rank > $1.rank }).prefix(Self.maximumPlaces) {
            if rank < Self.secondSpotScore, found.contains(where: { $0.reading.confidence >= Self.enoughConfidence }) {
                break
            }
            found += read(place, on: ground, in: colours, reduction)
        }
        return found
    }

    /// Whether a place was read well enough as a painted plate.
    func isRead(_ spot: PlateSpot, _ found: [Found], _ reduction: Int) -> Bool {
        found.contains {
            $0.reading.confidence >= Self.enoughConfidence
                && $0.reading.box.scaled(by: reduction).overlap(spot.box) > Self.samePlace
        }
    }

    private func read(
        _ place: ColourPlateFinder.Place, on ground: PlateColour?, in colours: ColourPicture, _ reduction: Int
    ) -> [Found] {
        let image = place.colour == .yellow ? colours.warm : colours.least
        let region = place.box.divided(by: colours.reduction)
        let polarity: GlyphChain.Polarity = place.colour.hasDarkWriting ? .darkOnLight : .lightOnDark
        let candidates = rowFinder.candidates(in: region, of: image, polarity: polarity) { x, y in
            let row = (y * colours.reduction - place.box.y) / place.step
            return place.spans.indices.contains(row) && place.spans[row].contains(x * colours.reduction)
        }
        var found: [Found] = []
        for var candidate in candidates.prefix(2) {
            candidate.place = region
            guard var reading = reader.readPainted(candidate, in: image, colour: ground) else { continue }
            reading.box = place.box.divided(by: reduction)
            found.append(Found(reading: reading, candidate: candidate, in: image))
            if reading.confidence >= Self.enoughConfidence { break }
        }
        return found
    }

    /// How likely the network takes a patch for a plate.
    private func rank(of patch: Box, _ spots: [PlateSpot]) -> Double {
        spots.filter { $0.box.overlap(patch) > Self.samePlace }.map(\.score).max() ?? 0
    }

    /// A place that the network shows as a painted plate with light writing, as most are.
    private static func painted(_ spot: PlateSpot) -> ColourPlateFinder.Place {
        let step = 8
        return ColourPlateFinder.Place(
            box: spot.box, colour: .red, score: spot.score,
            spans: Array(repeating: spot.box.x..<spot.box.right, count: spot.box.height / step + 1), step: step)
    }
}
