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

    private var finder = PlateFinder()
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
        let patches = decoded.isUpright ? ColourMap(picture).map { colourFinder.find(in: $0) } ?? [] : []
        let foundAt = clock.now
        reader.startPicture()
        var found: [(reading: PlateReading, rows: Int)] = []
        for candidate in candidates.prefix(Self.maximumReadings) {
            // Next to a plate that was read surely, only what looks like a plate is worth a look.
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= Self.sureConfidence, candidate.score < Self.secondScore { break }
            if let reading = reader.read(candidate, in: decoded.image) { found.append((reading, candidate.rows.count)) }
        }
        let kept = distinct(withoutHalves(found))
        let end = clock.now
        let scale = decoded.reduction
        let rows = candidates.map { $0.box.scaled(by: scale) }
        return Result(
            width: decoded.width, height: decoded.height,
            readings: kept.map { $0.scaled(by: scale) },
            regions: rows + patches.filter { patch in !rows.contains { $0.overlap(patch) > 0.5 } },
            times: StageTimes(
                decodeMs: (decodedAt - start).milliseconds, findMs: (foundAt - decodedAt).milliseconds,
                readMs: (end - foundAt).milliseconds))
    }

    /// Leaves out single rows of what reads as a plate of several rows. A row alone is read more surely than two, and often
    /// fits some format by itself.
    private func withoutHalves(_ found: [(reading: PlateReading, rows: Int)]) -> [PlateReading] {
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
