import Enforcement
import Plates

/// Which of the readings of a picture stay.
extension PlateRecognizer {
    /// Small print is lower than this part of the plate's glyphs.
    private static let smallPrint = 0.65

    /// How far from a plate's box its small print stands, in glyph heights: above and below, where it may keep a distance.
    private static let smallPrintReach = 1.2

    /// What was read at a place, before the places are compared.
    struct Found {
        var reading: PlateReading
        var candidate: PlateCandidate

        /// Whether the picture's left or right edge may cut the plate: what is read then may be but a part of it.
        let isCut: Bool

        /// - Parameter image: the picture in whose pixels the candidate lies.
        init(reading: PlateReading, candidate: PlateCandidate, in image: GrayImage) {
            self.reading = reading
            self.candidate = candidate
            isCut = candidate.touchesSide(ofWidth: image.width)
        }

        init(reading: PlateReading, candidate: PlateCandidate, isCut: Bool) {
            self.reading = reading
            self.candidate = candidate
            self.isCut = isCut
        }

        var rows: Int { candidate.rows.count }
    }

    /// Whether a row is small print of a plate that was read surely.
    func isSmallPrint(_ candidate: PlateCandidate, ofAny found: [Found]) -> Bool {
        found.contains { $0.reading.confidence >= cascade.sureConfidence && isSmallPrint(candidate, of: $0) }
    }

    /// Whether a row is the state, the town or the dealer that stands in small letters above or below a plate's characters.
    private func isSmallPrint(_ candidate: PlateCandidate, of plate: Found) -> Bool {
        guard let row = candidate.rows.first, candidate.rows.count == 1,
            let height = plate.candidate.rows.map(\.glyphHeight).max(), row.glyphHeight < Self.smallPrint * height
        else { return false }
        let near = plate.reading.box.grown(
            byX: Int(height), byY: Int(Self.smallPrintReach * height), within: Int(Int32.max), Int(Int32.max))
        // Eight tenths of it, since boxes are rough.
        return 10 * near.intersection(row.box).area > 8 * row.box.area
    }

    /// Leaves out single rows of what reads as a plate of several rows, and what reads as one end of a longer row. A part is read more
    /// surely than the whole, and often fits some format by itself.
    func withoutHalves(_ found: [Found]) -> [PlateReading] {
        found.filter { half in
            !found.contains { whole in
                let common = whole.reading.box.intersection(half.reading.box).area
                // Eight tenths of the row lie in the plate: its box has a margin that the plate's hasn't.
                return (whole.rows > half.rows || half.reading.isEnd(of: whole.reading))
                    && 10 * common > 8 * half.reading.box.area
                    && PlateFormat.named(whole.reading.format)?.isTight == true
                    && whole.reading.confidence > cascade.wholeShare * half.reading.confidence
            }
        }.map { $0.isCut ? $0.reading.bounded(by: cascade.cutConfidence) : $0.reading }
    }

    /// Whether a painted plate is shown though it is less sure: its format allows little, and what it wants was read. A ranger judges it.
    private func isLegible(_ reading: PlateReading) -> Bool {
        let format = PlateFormat.named(reading.format)
        let likely = geometricMean(
            reading.characters.reduce(1) { $0 * $1.likeliest }, count: reading.characters.count)
        return format?.script == .devanagari && reading.confidence >= cascade.legibleConfidence
            && likely >= cascade.legibleCharacter
    }

    /// The sure readings, the likeliest of those that cover the same place.
    func distinct(_ readings: [PlateReading]) -> [PlateReading] {
        var kept: [PlateReading] = []
        for reading in readings.sorted(by: { $0.confidence > $1.confidence }) {
            guard reading.confidence >= cascade.minimumConfidence || isLegible(reading) else {
                trace?.end(
                    .unlikelyPlate, at: reading.box, reading.format,
                    "\(reading.plate.canonical) is less sure (\(ReadingTrace.figure(reading.confidence))) than what is shown"
                )
                continue
            }
            let isCovered = kept.contains { other in
                let common = other.box.intersection(reading.box).area
                // Half of the smaller one: two plates don't lie on each other.
                return 2 * common > min(other.box.area, reading.box.area)
            }
            if isCovered {
                trace?.end(
                    .covered, at: reading.box, reading.format, "something likelier than \(reading.plate.canonical)")
            } else {
                kept.append(reading)
            }
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

    func divided(by factor: Int) -> Box {
        Box(x: x / factor, y: y / factor, width: width / factor, height: height / factor)
    }

    /// Whether most of the smaller one lies on the other: a row fills its plate, or is one of its rows.
    func isSamePlace(as other: Box) -> Bool { 2 * intersection(other).area > min(area, other.area) }
}

extension PlateReading {
    /// One character more may be a bolt or a border.
    private static let leastLonger = 2

    /// Whether this is the beginning or the end of a longer plate, whatever fonts draw alike.
    func isEnd(of longer: PlateReading) -> Bool {
        let (part, whole) = (LookAlike.folded(plate.compact), LookAlike.folded(longer.plate.compact))
        return part.count + Self.leastLonger <= whole.count && (whole.hasSuffix(part) || whole.hasPrefix(part))
    }

    /// The reading with this confidence at most, the other plates that it may be as much less likely.
    func atMost(_ limit: Double) -> PlateReading {
        guard confidence > limit else { return self }
        var copy = self
        copy.confidence = limit
        for index in copy.candidates.indices { copy.candidates[index].confidence *= limit / confidence }
        return copy
    }

    /// The reading with this confidence at most, whatever else speaks for its glyphs.
    func bounded(by limit: Double) -> PlateReading {
        var copy = atMost(limit)
        copy.bound = min(bound ?? limit, limit)
        return copy
    }

    func scaled(by factor: Int) -> PlateReading {
        var copy = self
        copy.box = box.scaled(by: factor)
        copy.glyphHeight = glyphHeight.map { $0 * Double(factor) }
        return copy
    }
}
