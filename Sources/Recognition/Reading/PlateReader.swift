import Enforcement
import Plates

/// Reads plate candidates with Tesseract. It belongs to one thread at a time.
package final class PlateReader {
    let latin: ScriptModel
    let devanagari: ScriptModel?

    /// Reads what stands above the number of plates by province; nil where the Devanagari model does it.
    let heading: ScriptModel?

    /// Why the model of headings, which is there, can't be used.
    let problem: ModelError?

    /// A second opinion on Latin rows, where it is installed.
    let second: ScriptModel?
    let matcher: FormatMatcher

    /// What is done, for whoever asks why; nil when nobody does.
    var trace: ReadingTrace?

    /// What belongs to the models.
    let parameters: ReaderParameters
    var extractor = LineExtractor()
    var above = RowAboveFinder()

    /// Painted plates that read doubtfully or not at all since `startPlace`: rows above theirs may make them whole.
    private(set) var unfinished: [Unfinished] = []

    struct Unfinished {
        var candidate: PlateCandidate
        var rows: [RowReading]
        var image: GrayImage
        var colour: PlateColour?
    }

    /// Forgets what was read doubtfully at another place.
    func startPlace() { unfinished.removeAll(keepingCapacity: true) }

    /// What was read of a row, so that a row that stands in several candidates is read once.
    var rows: [RowKey: RowReading] = [:]

    /// What the script's own model read of a row in one way, so that no line is read twice.
    var looked: [LookKey: RowReading] = [:]

    /// - Parameter parameters: other ones than those that lie beside the models.
    package init(models: String?, country: String?, parameters: ReaderParameters? = nil) throws(ModelError) {
        matcher = FormatMatcher(country: country)
        latin = try ScriptModel.latin(models: models)
        devanagari = try ScriptModel.devanagari(models: models)
        do {
            (heading, problem) = (try ScriptModel.heading(models: models), nil)
        } catch {
            (heading, problem) = (nil, error)
        }
        second = ScriptModel.secondLatin(models: models)
        let own = if let parameters { parameters } else { try ModelFolder.parameters(given: models) }
        self.parameters = own
        linesLeft = own.scripts.lines
    }

    /// How many lines of the picture may still be read in each script.
    var linesLeft: [PlateFormat.Script: Int]

    /// Forgets the rows of the picture before.
    package func startPicture() {
        linesLeft = parameters.scripts.lines
        rows.removeAll(keepingCapacity: true)
        looked.removeAll(keepingCapacity: true)
    }

    /// Reads a candidate in the script that it reads best in.
    ///
    /// - Parameter isSecond: whether the picture holds a plate that was read surely: then Devanagari isn't tried.
    /// - Returns: nil when no format fits what was read.
    /// - Parameter colour: the ground that it stands on, where that is known.
    package func read(
        _ candidate: PlateCandidate, in image: GrayImage, isSecond: Bool = false, colour: PlateColour? = nil
    ) -> PlateReading? {
        let inLatin = read(candidate, in: image, as: latin, isSecond: isSecond, colour: colour)
        guard let devanagari, !isSecond, candidate.score >= parameters.choice.worthDevanagari,
            inLatin?.confidence ?? 0 < parameters.choice.sureInLatin,
            !candidate.rows.contains(where: { row in
                let read = rows[RowKey(row, latin)]
                return read.map { $0.isLong && $0.sureness >= parameters.choice.latinSureness } ?? false
            })
        else { return inLatin }
        let inDevanagari = read(candidate, in: image, as: devanagari, colour: colour)
        return [inLatin, inDevanagari].compactMap { $0 }.max { $0.confidence < $1.confidence }
    }

    /// Reads a candidate in Latin alone.
    func readLatin(_ candidate: PlateCandidate, in image: GrayImage, colour: PlateColour?) -> PlateReading? {
        read(candidate, in: image, as: latin, colour: colour)
    }

    /// Reads a candidate of a painted plate, which is Nepal's.
    package func readPainted(
        _ candidate: PlateCandidate, in image: GrayImage, colour: PlateColour? = nil
    ) -> PlateReading? {
        devanagari.flatMap { read(candidate, in: image, as: $0, isPainted: true, colour: colour) }
    }

    /// Forgets the rows, whose places are those of another picture from now on.
    func forgetRows() {
        rows.removeAll(keepingCapacity: true)
        looked.removeAll(keepingCapacity: true)
    }

    /// Forgets the rows and allows for more lines.
    package func startColours() {
        forgetRows()
        linesLeft = parameters.scripts.linesInColour
    }

    /// Allows for the lines of rows above those that were read.
    func startAbove() { linesLeft = parameters.scripts.linesAbove }

    private func read(
        _ candidate: PlateCandidate, in image: GrayImage, as model: ScriptModel, isSecond: Bool = false,
        isPainted: Bool = false, colour: PlateColour? = nil
    ) -> PlateReading? {
        let profile = parameters.scripts[model.script]
        trace?.noteRows(of: candidate, in: image, as: model.script)
        let isOnePlate = profile.rowsLeanAlike && (candidate.rows.count > 1 || candidate.place != nil)
        lazy var crops = extractor.crops(of: candidate, in: image)
        func read(_ index: Int, _ patience: Patience?) -> RowReading {
            let row = candidate.rows[index]
            let key = RowKey(row, model)
            let read =
                rows[key]
                ?? readRow(
                    row, isOnePlate ? crops[index] : extractor.crop(of: row, in: image), on: candidate.place, model,
                    isSecond: isSecond, patience: patience)
            rows[key] = read
            return read
        }
        if let patience = profile.patience.map({ isPainted ? $0.painted : $0.found }) {
            let last = read(candidate.rows.count - 1, Patience(of: patience, isDecisive: true))
            guard last.sureness >= patience.second else {
                trace?.end(
                    .unreadRow, at: candidate.box, model.script.rawValue,
                    "the last row reads as \(ReadingTrace.words(last)), less sure than \(patience.second)")
                return nil
            }
        }
        let upper = profile.patience.map { Patience(of: $0.upper, isDecisive: false) }
        let read = candidate.rows.indices.map { read($0, upper) }
        var chosen = best(of: read, candidate, model.script, colour)
        if isOnePlate, chosen?.confidence ?? 0 < parameters.plate.doubtfulConfidence {
            for part in Self.parts(of: read, parameters.plate) {
                guard var found = best(of: part.rows, candidate, model.script, colour) else { continue }
                found.confidence *= part.chance
                if found.confidence > chosen?.confidence ?? 0 { chosen = found }
            }
        }
        if isPainted, chosen?.confidence ?? 0 < parameters.plate.doubtfulConfidence {
            unfinished.append(Unfinished(candidate: candidate, rows: read, image: image, colour: colour))
        }
        if isOnePlate, chosen?.confidence ?? 0 < parameters.plate.doubtfulConfidence,
            let found = byOneWay(read, of: candidate, as: model, colour), found.confidence > chosen?.confidence ?? 0
        {
            chosen = found
        }
        let last = candidate.rows.count - 1
        if isPainted, chosen != nil,
            read[last].missesEnd(of: crops[last], shown: candidate.rows[last].glyphs(on: candidate.place))
        {
            chosen?.limit(to: parameters.cascade.lostEndConfidence)
            trace?.note(
                .vote, at: candidate.rows[last].box, "last row", "a glyph that was seen at its end was not read")
        }
        let glyphs = read.reduce(0) { $0 + $1.glyphs }
        let raw = read.map(\.text)
        if let found = chosen, model.script == .latin, !isSecond, candidate.score >= parameters.rows.promisingScore {
            chosen = withEnds(found, candidate, image, glyphs: glyphs, colour: colour)
        }
        if model.script == .latin, let best = chosen?.results.first,
            GlyphGaps(read).haveRoomForAnother(in: best.plate)
        {
            chosen?.limit(to: parameters.cascade.lostEndConfidence)
            trace?.note(.vote, at: candidate.box, "gap", "another glyph fits between two that were read")
        }
        return reading(chosen, of: raw, candidate, model.script, colour)
    }

    /// A hypothesis as a reading; nil where there is none.
    func reading(
        _ chosen: Hypothesis?, of raw: [String], _ candidate: PlateCandidate, _ script: PlateFormat.Script,
        _ colour: PlateColour?
    ) -> PlateReading? {
        guard let chosen, let best = chosen.results.first else {
            trace?.end(
                .noFormat, at: candidate.box, script.rawValue, "\(raw.joined(separator: " ")) fits no format")
            return nil
        }
        trace?.note(
            .plate, at: candidate.box, best.format.name,
            "\(best.plate.canonical), sure \(ReadingTrace.figure(chosen.confidence))")
        let glyphHeight = candidate.rows.map(\.glyphHeight).max()
        trace?.note(glyphHeight: glyphHeight ?? 0)
        let candidates = chosen.results.map {
            PlateReading.Candidate(plate: $0.plate, confidence: chosen.confidence * $0.score / best.score)
        }
        return PlateReading(
            plate: best.plate, raw: raw.joined(separator: " "), confidence: chosen.confidence, box: candidate.box,
            format: best.format.name, candidates: candidates, characters: chosen.characters, colour: colour,
            glyphHeight: glyphHeight, bound: chosen.bound)
    }

    /// The likeliest plate of the rows.
    func best(
        of rows: [RowReading], _ candidate: PlateCandidate, _ script: PlateFormat.Script, _ colour: PlateColour?
    ) -> Hypothesis? {
        let characters = rows.flatMap(\.characters)
        let glyphs = rows.reduce(0) { $0 + $1.glyphs }
        var chosen: Hypothesis?
        for (kept, chance) in hypotheses(
            characters.map(\.alternatives), beyond: characters.map(\.isBeyond), rows: rows.count)
        {
            let left = glyphs - (characters.count - kept.count)
            let bare = matcher.withoutHeadings(kept, script: script)
            let hypothesis = hypothesis(bare, glyphs: left - (kept.count - bare.count), candidate, script, colour)
            if let hypothesis, hypothesis.confidence * chance > chosen?.confidence ?? 0 {
                chosen = hypothesis
                chosen?.confidence *= chance
            }
        }
        return chosen
    }

    func hypothesis(
        _ characters: [CharacterAlternatives], glyphs: Int, _ candidate: PlateCandidate, _ script: PlateFormat.Script,
        _ colour: PlateColour?
    ) -> Hypothesis? {
        let results = matcher.match(characters, script: script, colour: colour)
        guard let best = results.first else {
            trace?.noteFormats(nil, of: characters, on: candidate, script, matcher)
            return nil
        }
        var odds = PlateColour.odds(of: colour, with: best.plate, format: best.format)
        if best.weakest < parameters.plate.hardlyRead { odds *= parameters.plate.oddsOfBent }
        let evidence = ReadingEvidence(
            results, characters: characters, glyphs: glyphs, shape: candidate.score,
            glyphHeight: candidate.rows.map(\.glyphHeight).max() ?? 0, country: matcher.country)
        let confidence = evidence.confidence(parameters.evidence, parameters.scripts[script].evidence)
        let found = Hypothesis(
            results: results, characters: characters, confidence: probability(confidence, timesOdds: odds))
        trace?.noteFormats(found, of: characters, on: candidate, script, matcher)
        return found
    }

    /// So many glyphs at an end that the finder didn't see may be none: a seal and a piece of the frame.
    private static let mostBeyond = 2

    /// No plate in one row has fewer characters.
    private static let leastCharacters = 4

    /// What of the characters is the plate: of one row also without some at its ends, of several also without all that the
    /// finder didn't see.
    private func hypotheses(
        _ characters: [CharacterAlternatives], beyond: [Bool], rows: Int
    ) -> [(kept: [CharacterAlternatives], chance: Double)] {
        if rows == 1 { return trimmed(characters, beyond: beyond) }
        let dropped = zip(characters, beyond).filter(\.1).map(\.0)
        guard !dropped.isEmpty, dropped.count <= Self.mostBeyond, beyond.count == characters.count else {
            return [(characters, 1)]
        }
        return [(characters, 1), (zip(characters, beyond).filter { !$1 }.map(\.0), chance(ofNone: dropped))]
    }

    /// How likely it is that what is left out is none.
    private func chance(ofNone dropped: [CharacterAlternatives]) -> Double {
        dropped.reduce(1.0) { $0 * max(parameters.plate.leastDoubt, 1 - $1.likeliest) }.squareRoot()
    }

    /// The characters as they are, and without those at the ends that the finder didn't see: each with how likely it is that
    /// what is left out is none.
    private func trimmed(
        _ characters: [CharacterAlternatives], beyond: [Bool]
    ) -> [(kept: [CharacterAlternatives], chance: Double)] {
        guard beyond.count == characters.count else { return [(characters, 1)] }
        var found = [(characters, 1.0)]
        let left = beyond.prefix { $0 }.count
        let right = beyond.reversed().prefix { $0 }.count
        for first in 0...min(left, Self.mostBeyond) {
            for last in 0...min(right, Self.mostBeyond)
            where first + last > 0 && first + last <= characters.count - Self.leastCharacters {
                let dropped = characters.prefix(first) + characters.suffix(last)
                found.append(
                    (Array(characters.dropFirst(first).dropLast(last)), chance(ofNone: Array(dropped))))
            }
        }
        return found
    }
}
