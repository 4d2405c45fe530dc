import Enforcement
import Plates

/// Rows above those that were read: small writing over large digits is often lost among a plate's parts (decision 0270).
extension PlateReader {
    /// No painted plate has more rows.
    private static let mostRows = 3

    /// The ways in which a row above is told from the ground, and whether what goes on beyond its ends is frame: without the frame first.
    private static let ways: [(Binarisation, isSided: Bool)] = [
        (.global, true), (.dark, true), (.local, true), (.global, false), (.dark, false), (.bright, true),
        (.parted, true),
    ]

    /// As many readings of one way or another that make a plate are enough, when they make the same.
    private static let enough = 2

    /// What one way alone made of a row is this likely.
    private static let chanceOfOne = 0.6

    /// A row whose glyphs all touch is one part, this many times as wide as high.
    private static let widest = 16.0

    /// As many characters at the ends of a row above may be a screw or a piece of the border.
    private static let mostStrays = 2

    /// The least sureness of the row that others are looked for above.
    private static let sureRow = 0.8

    /// Looks for rows above those that were read surely.
    ///
    /// - Returns: the plate that they make together, never sure: the finder didn't see all of it.
    func finished(_ plate: Unfinished) -> PlateReading? {
        guard let devanagari else { return nil }
        let found = withRowsAbove(plate.rows, of: plate.candidate, in: plate.image, as: devanagari, plate.colour)
        return found.flatMap {
            reading($0, of: [$0.characters.map(\.best).joined()], plate.candidate, .devanagari, plate.colour)
        }
    }

    private func withRowsAbove(
        _ read: [RowReading], of candidate: PlateCandidate, in image: GrayImage, as model: ScriptModel,
        _ colour: PlateColour?
    ) -> Hypothesis? {
        guard let place = candidate.place, let last = candidate.rows.indices.last, read[last].sureness >= Self.sureRow
        else { return nil }
        var rows = [candidate.rows[last]]
        var readings = [read[last]]
        if last > 0, isMiddle(read[last - 1]) {
            rows.insert(candidate.rows[last - 1], at: 0)
            readings.insert(read[last - 1], at: 0)
        }
        var best: Hypothesis?
        while rows.count < Self.mostRows, let row = above.row(above: rows[0], on: place, of: image) {
            // Without its place: the threshold is then that of the row's own stretch of the plate.
            let whole = PlateCandidate(rows: [row] + rows, score: candidate.score)
            let made = readAbove(whole, readings, in: image, as: model, colour)
            if let plate = made.plate, plate.confidence > best?.confidence ?? 0 { best = plate }
            guard let reading = made.row, isMiddle(reading) else { break }
            rows.insert(row, at: 0)
            readings.insert(reading, at: 0)
        }
        // The finder didn't see all of it: what it saw elsewhere may be the better answer.
        guard var plate = best else { return nil }
        plate.limit(to: parameters.cascade.lostEndConfidence)
        return plate
    }

    /// Whether a row is one between the province and the number: the lot and the letter, and perhaps the office before them.
    private func isMiddle(_ row: RowReading) -> Bool {
        row.sureness >= Self.sureRow && (4...6).contains(row.characters.count)
            && row.characters.dropLast().allSatisfy(isDigit) && row.characters.last.map(isDigit) == false
    }

    private func isDigit(_ character: RowReading.Character) -> Bool {
        character.alternatives.best.unicodeScalars.first.flatMap(DevanagariAlphabet.digit) != nil
    }

    /// Reads the uppermost row of a candidate with the model of headings, and where that finds no plate with a heading as any other row
    /// (decision 0294).
    private func readAbove(
        _ candidate: PlateCandidate, _ below: [RowReading], in image: GrayImage, as model: ScriptModel,
        _ colour: PlateColour?
    ) -> Above {
        if let heading {
            let left = linesLeft
            let made = readAbove(candidate, below, in: image, with: heading, colour)
            if made.plate?.results.first?.format.heading != nil { return made }
            linesLeft = left
        }
        return readAbove(candidate, below, in: image, with: model, colour)
    }

    private typealias Above = (plate: Hypothesis?, row: RowReading?)

    /// Reads the uppermost row of a candidate in one way after another, each as a row of its own: what one way makes of a row of words and
    /// small digits has little in common with what another does.
    ///
    /// - Returns: the likeliest plate, if one fits, and the surest reading of the row.
    private func readAbove(
        _ candidate: PlateCandidate, _ below: [RowReading], in image: GrayImage, with model: ScriptModel,
        _ colour: PlateColour?
    ) -> Above {
        let row = candidate.rows[0]
        let crop = extractor.crops(of: candidate, in: image)[0]
        trace?.note(.row, at: row.box, "above", "straightened", crop.image)
        var profile = parameters.scripts[model.script].row
        profile.widest = Self.widest
        var surest: RowReading?
        var plates: [(plate: Hypothesis, ways: Int)] = []
        for (way, isSided) in Self.ways where linesLeft[model.script, default: 0] > 0 {
            profile.keepsToSides = isSided
            guard let line = extractor.line(of: crop, binarisation: way, profile) else { continue }
            linesLeft[model.script, default: 0] -= 1
            let reading = RowReading(unparted: model.read(line), of: line)
            trace?.note(.line, at: row.box, "above, \(way)", ReadingTrace.words(reading), line.image)
            if reading.sureness > surest?.sureness ?? 0 { surest = reading }
            guard let plate = likeliest(reading, below, candidate, model.script, colour) else { continue }
            let compact = plate.results.first?.plate.compact
            if let index = plates.firstIndex(where: { $0.plate.results.first?.plate.compact == compact }) {
                plates[index].ways += 1
                if plate.confidence > plates[index].plate.confidence { plates[index].plate = plate }
                if plates[index].ways >= Self.enough { break }
            } else {
                plates.append((plate, 1))
            }
            if isMiddle(reading) { break }
        }
        let weighed = plates.map { plate, ways in
            var plate = plate
            if ways < Self.enough { plate.confidence *= Self.chanceOfOne }
            return plate
        }
        return (weighed.max { $0.confidence < $1.confidence }, surest)
    }

    /// The likeliest plate that a row makes with those below it, with or without what stands at its ends.
    private func likeliest(
        _ row: RowReading, _ below: [RowReading], _ candidate: PlateCandidate, _ script: PlateFormat.Script,
        _ colour: PlateColour?
    ) -> Hypothesis? {
        var best: Hypothesis?
        for first in 0...Self.mostStrays {
            for last in 0...Self.mostStrays where first + last < row.characters.count {
                var part = row
                let strays = row.characters.prefix(first) + row.characters.suffix(last)
                part.characters = Array(row.characters.dropFirst(first).dropLast(last))
                part.glyphs = part.characters.count
                let chance = strays.reduce(1) {
                    $0 * parameters.plate.chanceOfNoGlyph * (1 - Self.weightOfSureStray * $1.alternatives.likeliest)
                }
                guard var plate = self.best(of: [part] + below, candidate, script, colour) else { continue }
                plate.confidence *= chance
                if plate.confidence > best?.confidence ?? 0 { best = plate }
            }
        }
        return best
    }

    /// A stray that was read surely is none half as likely as one that was hardly read.
    private static let weightOfSureStray = 0.5
}
