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
    private static let sureConfidence = 0.8
    private static let secondScore = 0.2

    /// Above this the colours aren't looked at.
    private static let enoughConfidence = 0.6

    /// At most this many coloured places are read.
    private static let maximumPlaces = 4

    private var finder = PlateFinder()
    private var rowFinder = RegionRowFinder()
    private var colourFinder = ColourPlateFinder()
    private let reader: PlateReader

    package init(models: String? = nil, country: String? = nil) throws(ModelError) {
        reader = try PlateReader(models: models, country: country)
    }

    /// - Parameter picture: a JPEG, PNG or PNM file's bytes.
    package func recognize(_ picture: Data) throws(ImageError) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try ImageDecoder.decode(picture)
        let decodedAt = clock.now
        let candidates = finder.find(in: decoded.image)
        let map = decoded.isUpright ? ColourMap(picture) : nil
        let patches = map.map { colourFinder.find(in: $0) } ?? []
        let foundAt = clock.now
        reader.startPicture()
        var found: [Found] = []
        for candidate in candidates.prefix(Self.maximumReadings) {
            // Next to a plate that was read surely, only what looks like a plate is worth a look.
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= Self.sureConfidence, candidate.score < Self.secondScore { break }
            if found.contains(where: { $0.reading.confidence >= Self.sureConfidence && isSmallPrint(candidate, of: $0) }
            ) {
                continue
            }
            let ground = map?.ground(in: candidate.box.scaled(by: decoded.reduction))
            if let reading = reader.read(
                candidate, in: decoded.image, isSecond: best >= Self.sureConfidence, colour: ground)
            {
                found.append(Found(reading: reading, candidate: candidate))
            }
        }
        let best = found.reduce(0) { max($0, $1.reading.confidence) }
        if best < Self.enoughConfidence, !patches.isEmpty, let colours = ColourPicture(picture) {
            found += readPainted(patches, colours)
        }
        let kept = distinct(withoutHalves(found))
        let end = clock.now
        let scale = decoded.reduction
        let rows = candidates.map { $0.box.scaled(by: scale) }
        return Result(
            width: decoded.width, height: decoded.height,
            readings: kept.map { $0.scaled(by: scale) },
            regions: rows + patches.map(\.box).filter { patch in !rows.contains { $0.overlap(patch) > 0.5 } },
            times: StageTimes(
                decodeMs: (decodedAt - start).milliseconds, findMs: (foundAt - decodedAt).milliseconds,
                readMs: (end - foundAt).milliseconds))
    }

    /// Reads places of a plate's colour as painted plates.
    private func readPainted(_ places: [ColourPlateFinder.Place], _ colours: ColourPicture) -> [Found] {
        reader.startColours()
        var found: [Found] = []
        for place in places.prefix(Self.maximumPlaces) {
            let image = place.colour == .yellow ? colours.warm : colours.least
            let region = Box(
                x: place.box.x / colours.reduction, y: place.box.y / colours.reduction,
                width: place.box.width / colours.reduction, height: place.box.height / colours.reduction)
            let polarity: GlyphChain.Polarity = place.colour.hasDarkWriting ? .darkOnLight : .lightOnDark
            let candidates = rowFinder.candidates(in: region, of: image, polarity: polarity) { x, y in
                let row = (y * colours.reduction - place.box.y) / place.step
                return place.spans.indices.contains(row) && place.spans[row].contains(x * colours.reduction)
            }
            for candidate in candidates.prefix(2) {
                guard let reading = reader.readPainted(candidate, in: image, colour: place.colour.ground) else {
                    continue
                }
                var scaled = reading.scaled(by: colours.reduction)
                scaled.box = place.box
                found.append(Found(reading: scaled, candidate: candidate))
            }
        }
        return found
    }

    private struct Found {
        var reading: PlateReading
        var candidate: PlateCandidate
        var rows: Int { candidate.rows.count }
    }

    /// Whether a row is the state, the town or the dealer that stands in small letters above or below a plate's characters.
    private func isSmallPrint(_ candidate: PlateCandidate, of plate: Found) -> Bool {
        guard let row = candidate.rows.first, candidate.rows.count == 1,
            let height = plate.candidate.rows.map(\.glyphHeight).max(), row.glyphHeight < 0.65 * height
        else { return false }
        let near = plate.reading.box.grown(
            byX: Int(height), byY: Int(1.2 * height), within: Int(Int32.max), Int(Int32.max))
        return 10 * near.intersection(row.box).area > 8 * row.box.area
    }

    /// Leaves out single rows of what reads as a plate of several rows. A row alone is read more surely than two, and often
    /// fits some format by itself.
    private func withoutHalves(_ found: [Found]) -> [PlateReading] {
        found.filter { half in
            !found.contains { whole in
                let common = whole.reading.box.intersection(half.reading.box).area
                return whole.rows > half.rows && 10 * common > 8 * half.reading.box.area
                    && PlateFormat.named(whole.reading.format)?.isTight == true
                    && whole.reading.confidence > 0.5 * half.reading.confidence
            }
        }.map(\.reading)
    }

    /// The sure readings, the likeliest of those that cover the same place.
    private func distinct(_ readings: [PlateReading]) -> [PlateReading] {
        var kept: [PlateReading] = []
        for reading in readings.sorted(by: { $0.confidence > $1.confidence })
        where reading.confidence >= Self.minimumConfidence {
            let isCovered = kept.contains { other in
                let common = other.box.intersection(reading.box).area
                return 2 * common > min(other.box.area, reading.box.area)
            }
            if !isCovered { kept.append(reading) }
        }
        return kept
    }
}

extension Duration {
    package var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

extension Box {
    func scaled(by factor: Int) -> Box {
        Box(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }
}

extension PlateReading {
    func scaled(by factor: Int) -> PlateReading {
        var copy = self
        copy.box = box.scaled(by: factor)
        return copy
    }
}
