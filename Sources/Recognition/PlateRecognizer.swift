import Enforcement
import Foundation

/// Finds and reads the plates of one picture. It belongs to one thread at a time.
package final class PlateRecognizer {
    /// What was seen in a picture.
    package struct Result: Sendable {
        package var width: Int
        package var height: Int

        /// The plates that were read, the likeliest first.
        package var readings: [PlateReading]

        /// Where plates were found, read or not.
        package var regions: [Box]

        /// How long each stage took.
        package var times: StageTimes
    }

    /// Wall time in milliseconds.
    package struct StageTimes: Sendable, Equatable {
        package var decodeMs = 0.0
        package var findMs = 0.0
        package var readMs = 0.0

        package init() {}

        init(decodeMs: Double, findMs: Double, readMs: Double) {
            self.decodeMs = decodeMs
            self.findMs = findMs
            self.readMs = readMs
        }

        package var totalMs: Double { decodeMs + findMs + readMs }
    }

    /// At most this many candidates of a picture are read.
    package static let maximumReadings = 8

    /// What is less sure than this is no plate.
    package static let minimumConfidence = 0.05

    /// From this on a reading is sure; a further candidate of the picture must then score at least `secondScore`.
    static let sureConfidence = 0.8
    private static let secondScore = 0.2

    /// A place that the network is less sure of is shown and not read.
    private static let readableScore = 0.3

    /// A further spot of a picture in which a plate was read surely must score at least this much.
    private static let secondSpotScore = 0.5

    /// Above this the colours aren't looked at.
    private static let enoughConfidence = 0.6

    /// A patch and a spot that overlap by more than this are one place.
    private static let samePlace = 0.4

    /// At most this many coloured places are read.
    private static let maximumPlaces = 4

    private var finder = PlateFinder()
    private var rowFinder = RegionRowFinder()
    private var colourFinder = ColourPlateFinder()
    private var spotSearch = SpotSearch()
    private let reader: PlateReader

    /// The network that shows where plates are; nil where its file is missing or broken: then rows and colours alone are searched.
    private let spotter: PlateSpotter?

    /// Why there is no network, for the log; nil when there is one.
    package let spotterProblem: String?

    package init(models: String? = nil, country: String? = nil) throws(ModelError) {
        reader = try PlateReader(models: models, country: country)
        do {
            spotter = try PlateSpotter(try ModelFolder.network(given: models))
            spotterProblem = nil
        } catch {
            spotter = nil
            spotterProblem = "\(error)"
        }
    }

    /// - Parameter picture: a JPEG, PNG or PNM file's bytes.
    package func recognize(_ picture: Data) throws(ImageError) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try ImageDecoder.decode(picture)
        let decodedAt = clock.now
        let spots = spotter?.find(in: picture, decoded: decoded) ?? []
        let spottedAt = clock.now
        reader.startPicture()
        let grounds = Grounds(decoded.isUpright ? picture : nil)
        // A place painted as most of Nepal's plates are is read so first: in gray it costs many lines, and seldom reads.
        let painted = spots.filter { $0.score >= Self.readableScore && grounds.map?.ground(in: $0.box) == .red }
        var found = readPainted(picture, decoded.reduction, patches: [], spots: painted, grounds)
        if !painted.isEmpty { reader.startPicture() }
        let left = spots.filter { !isRead($0, found, decoded.reduction) }
        found += readSpots(left, decoded, grounds, besides: found)
        var regions = spots.map(\.box)
        var searchMs = 0.0
        if found.allSatisfy({ $0.reading.confidence < Self.enoughConfidence }) {
            let start = clock.now
            let candidates = finder.find(in: decoded.image)
            searchMs = (clock.now - start).milliseconds
            // First what lies on a place that the network shows: a picture's lines that may be read are few.
            let shown = candidates.filter { isShown($0, spots, decoded.reduction) }
            let others = candidates.filter { !isShown($0, spots, decoded.reduction) }
            found += readRows(shown + others, decoded, grounds, besides: found)
            regions += candidates.map { $0.box.scaled(by: decoded.reduction) }.filter { isNew($0, among: regions) }
        }
        if decoded.isUpright, found.allSatisfy({ $0.reading.confidence < Self.enoughConfidence }) {
            let start = clock.now
            let patches = grounds.map.map { colourFinder.find(in: $0) } ?? []
            searchMs += (clock.now - start).milliseconds
            found += readPainted(
                picture, decoded.reduction, patches: patches, spots: spots, grounds, tried: painted)
            regions += patches.map(\.box).filter { isNew($0, among: regions) }
        }
        let kept = distinct(withoutHalves(found))
        let end = clock.now
        return Result(
            width: decoded.width, height: decoded.height,
            readings: kept.map { $0.scaled(by: decoded.reduction) }, regions: regions,
            times: StageTimes(
                decodeMs: (decodedAt - start).milliseconds, findMs: (spottedAt - decodedAt).milliseconds + searchMs,
                readMs: (end - spottedAt).milliseconds - searchMs))
    }

    /// Reads what stands at the places that the network shows.
    private func readSpots(
        _ spots: [PlateSpot], _ decoded: ImageDecoder.Decoded, _ grounds: Grounds, besides known: [Found] = []
    ) -> [Found] {
        var found = known
        for spot in spots.prefix(Self.maximumReadings) {
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= Self.sureConfidence, spot.score < Self.secondSpotScore { break }
            if spot.score < Self.readableScore { break }
            let box = Box(
                x: spot.box.x / decoded.reduction, y: spot.box.y / decoded.reduction,
                width: spot.box.width / decoded.reduction, height: spot.box.height / decoded.reduction)
            for candidate in spotSearch.candidates(in: box, of: decoded.image)
            where !isSmallPrint(candidate, ofAny: found) {
                let isSecond = best >= Self.sureConfidence
                let ground = grounds.ground(in: candidate.box.scaled(by: decoded.reduction))
                guard let reading = reader.read(candidate, in: decoded.image, isSecond: isSecond, colour: ground) else {
                    continue
                }
                found.append(Found(reading: reading, candidate: candidate))
                if reading.confidence >= Self.sureConfidence { break }
            }
        }
        return Array(found.dropFirst(known.count))
    }

    /// Reads rows that were found without the network.
    private func readRows(
        _ candidates: [PlateCandidate], _ decoded: ImageDecoder.Decoded, _ grounds: Grounds, besides known: [Found]
    ) -> [Found] {
        var found = known
        for candidate in candidates.prefix(Self.maximumReadings) {
            // Next to a plate that was read surely, only what looks like a plate is worth a look.
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= Self.sureConfidence, candidate.score < Self.secondScore { break }
            if isSmallPrint(candidate, ofAny: found) { continue }
            let ground = grounds.ground(in: candidate.box.scaled(by: decoded.reduction))
            let isSecond = best >= Self.sureConfidence
            if let reading = reader.read(candidate, in: decoded.image, isSecond: isSecond, colour: ground) {
                found.append(Found(reading: reading, candidate: candidate))
            }
        }
        return Array(found.dropFirst(known.count))
    }

    private func isShown(_ candidate: PlateCandidate, _ spots: [PlateSpot], _ reduction: Int) -> Bool {
        let box = candidate.box.scaled(by: reduction)
        return spots.contains { $0.score >= Self.readableScore && 2 * $0.box.intersection(box).area > box.area }
    }

    /// Whether a place was read well enough as a painted plate.
    private func isRead(_ spot: PlateSpot, _ found: [Found], _ reduction: Int) -> Bool {
        found.contains {
            $0.reading.confidence >= Self.enoughConfidence
                && $0.reading.box.scaled(by: reduction).overlap(spot.box) > Self.samePlace
        }
    }

    private func isNew(_ place: Box, among regions: [Box]) -> Bool { !regions.contains { $0.overlap(place) > 0.5 } }

    /// Reads patches of a plate's colour, and places with light writing that the network shows, as painted plates.
    ///
    /// - Parameters:
    ///   - reduction: of the decoded picture, in whose pixels the readings' boxes are.
    ///   - tried: places that were read so already.
    private func readPainted(
        _ picture: Data, _ reduction: Int, patches: [ColourPlateFinder.Place], spots: [PlateSpot], _ grounds: Grounds,
        tried: [PlateSpot] = []
    ) -> [Found] {
        guard !patches.isEmpty || !spots.isEmpty, let colours = ColourPicture(picture) else { return [] }
        reader.startColours()
        // A patch has the plate's outline, a spot its box alone. White patches on a dark spot are its writing or its border.
        let light = spots.filter { spot in
            spot.score >= Self.readableScore && (colours.isDark(spot.box) || grounds.map?.isPainted(spot.box) == true)
        }
        let patches = patches.filter { patch in
            patch.colour != .white || !light.contains { $0.box.overlap(patch.box) > Self.samePlace }
        }
        let shown = light.filter { spot in
            !tried.contains(spot) && !patches.contains { $0.box.overlap(spot.box) > Self.samePlace }
        }.map(Self.painted)
        let painted = patches.map { (place: $0, ground: Optional($0.colour.ground), rank: rank(of: $0.box, spots)) }
        let places = painted + shown.map { (place: $0, ground: grounds.ground(in: $0.box), rank: $0.score) }
        var found: [Found] = []
        for (place, ground, rank) in places.sorted(by: { $0.rank > $1.rank }).prefix(Self.maximumPlaces) {
            if rank < Self.secondSpotScore, found.contains(where: { $0.reading.confidence >= Self.enoughConfidence }) {
                break
            }
            let image = place.colour == .yellow ? colours.warm : colours.least
            let region = Box(
                x: place.box.x / colours.reduction, y: place.box.y / colours.reduction,
                width: place.box.width / colours.reduction, height: place.box.height / colours.reduction)
            let polarity: GlyphChain.Polarity = place.colour.hasDarkWriting ? .darkOnLight : .lightOnDark
            let candidates = rowFinder.candidates(in: region, of: image, polarity: polarity) { x, y in
                let row = (y * colours.reduction - place.box.y) / place.step
                return place.spans.indices.contains(row) && place.spans[row].contains(x * colours.reduction)
            }
            for var candidate in candidates.prefix(2) {
                candidate.place = region
                guard let reading = reader.readPainted(candidate, in: image, colour: ground) else { continue }
                var placed = reading
                placed.box = Box(
                    x: place.box.x / reduction, y: place.box.y / reduction, width: place.box.width / reduction,
                    height: place.box.height / reduction)
                found.append(Found(reading: placed, candidate: candidate))
                if reading.confidence >= Self.enoughConfidence { break }
            }
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
