import Enforcement

/// Reads plate candidates with Tesseract. It belongs to one thread at a time.
package final class PlateReader {
    private let latin: ScriptModel
    private let devanagari: ScriptModel?
    private let matcher: FormatMatcher
    private var extractor = LineExtractor()

    private struct RowKey: Hashable {
        let box: Box
        let script: PlateFormat.Script
    }

    /// What was read of a row, so that a row that stands in several candidates is read once.
    private var rows: [RowKey: RowReading] = [:]

    package init(models: String?, country: String?) throws(ModelError) {
        matcher = FormatMatcher(country: country)
        latin = try ScriptModel.latin(models: models)
        devanagari = try ScriptModel.devanagari(models: models)
    }

    /// The lines of a picture that are read at most in each script: what bounds the time.
    private static let maximumLines: [PlateFormat.Script: Int] = [.latin: 18, .devanagari: 10]

    /// Rows below this look hardly like a plate's.
    private static let promisingScore = 0.25

    /// A row that hardly looks like a plate's is read on when one of its first two readings is at least this sure.
    private static let promisingSureness = 0.75

    private var linesLeft = maximumLines

    /// Forgets the rows of the picture before.
    package func startPicture() {
        linesLeft = Self.maximumLines
        rows.removeAll(keepingCapacity: true)
    }

    /// A plate that reads this surely in Latin isn't tried in Devanagari, …
    private static let sureInLatin = 0.4

    /// … nor is one that looks less like a plate than this.
    private static let worthDevanagari = 0.1

    /// Reads a candidate in the script that it reads best in.
    ///
    /// - Returns: nil when no format fits what was read.
    package func read(_ candidate: PlateCandidate, in image: GrayImage) -> PlateReading? {
        let inLatin = read(candidate, in: image, as: latin)
        guard let devanagari, candidate.score >= Self.worthDevanagari, inLatin?.confidence ?? 0 < Self.sureInLatin
        else { return inLatin }
        let inDevanagari = read(candidate, in: image, as: devanagari)
        return [inLatin, inDevanagari].compactMap { $0 }.max { $0.confidence < $1.confidence }
    }

    private func read(_ candidate: PlateCandidate, in image: GrayImage, as model: ScriptModel) -> PlateReading? {
        var characters: [CharacterAlternatives] = []
        var raw: [String] = []
        var glyphs = 0
        for row in candidate.rows {
            let key = RowKey(box: row.box, script: model.script)
            let read = rows[key] ?? readRow(row, image, model)
            rows[key] = read
            characters += read.characters.map(\.alternatives)
            raw.append(read.characters.map(\.alternatives.best).joined())
            glyphs += read.glyphs
        }
        if model.script == .devanagari {
            let bare = DevanagariAlphabet.withoutProvinceWords(characters)
            glyphs -= characters.count - bare.count
            characters = bare
        }
        let results = matcher.match(characters, script: model.script)
        guard let best = results.first else { return nil }
        let confidence = ReadingEvidence(
            results, characters: characters, glyphs: glyphs, shape: candidate.score, country: matcher.country
        ).confidence
        let candidates = results.map {
            PlateReading.Candidate(plate: $0.plate, confidence: confidence * $0.score / best.score)
        }
        return PlateReading(
            plate: best.plate, raw: raw.joined(separator: " "), confidence: confidence, box: candidate.box,
            format: best.format.name, candidates: candidates, characters: characters)
    }

    /// Reads a row in one binarisation after another, until it is read surely or isn't worth more.
    private func readRow(_ row: GlyphChain, _ image: GrayImage, _ model: ScriptModel) -> RowReading {
        let crop = extractor.crop(of: row, in: image)
        var readings: [RowReading] = []
        for binarisation in Binarisation.allCases {
            guard linesLeft[model.script, default: 0] > 0 else { break }
            // A row that hardly looks like a plate must read well soon.
            if readings.count > 1, row.score < Self.promisingScore,
                !readings.contains(where: { $0.characters.count > 3 && $0.sureness >= Self.promisingSureness })
            {
                break
            }
            guard let line = extractor.line(of: crop, binarisation: binarisation) else { continue }
            linesLeft[model.script, default: 0] -= 1
            let symbols = model.read(line.image)
            let reading = RowReading(symbols, of: line)
            if reading.isSure(expected: row.glyphs.count) { return reading }
            // Two that agree need no third.
            if reading.characters.count > 4, reading.characters.count >= row.glyphs.count,
                readings.contains(where: { $0.text == reading.text })
            {
                return .voted(readings + [reading])
            }
            readings.append(reading)
        }
        return .voted(readings)
    }
}
