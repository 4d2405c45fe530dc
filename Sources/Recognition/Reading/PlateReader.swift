import Enforcement

/// Reads plate candidates with Tesseract. It belongs to one thread at a time.
package final class PlateReader {
    private let latin: TesseractEngine
    private let matcher: FormatMatcher
    private var extractor = LineExtractor()

    /// What was read of a row, by the row's box, so that a row that stands in several candidates is read once.
    private var rows: [Box: RowReading] = [:]

    package init(models: String?, country: String?) throws(ModelError) {
        matcher = FormatMatcher(country: country)
        let model: String
        let folder: String
        if let found = try? ModelFolder.folder(of: ModelFolder.latinModel, given: models) {
            (model, folder) = (ModelFolder.latinModel, found)
        } else {
            model = ModelFolder.fallbackModel
            folder = try ModelFolder.folder(of: model, given: models)
        }
        latin = try TesseractEngine(model: model, folder: folder)
    }

    /// The lines of a picture that are read at most: what bounds the time.
    private static let maximumLines = 20

    /// Rows below this look hardly like a plate's.
    private static let promisingScore = 0.25

    /// A row that hardly looks like a plate's is read on when one of its first two readings is at least this sure.
    private static let promisingSureness = 0.75

    private var linesLeft = 0

    /// Forgets the rows of the picture before.
    package func startPicture() {
        linesLeft = Self.maximumLines
        rows.removeAll(keepingCapacity: true)
    }

    /// - Returns: nil when no format fits what was read.
    package func read(_ candidate: PlateCandidate, in image: GrayImage) -> PlateReading? {
        var characters: [CharacterAlternatives] = []
        var raw: [String] = []
        var glyphs = 0
        for row in candidate.rows {
            let read = rows[row.box] ?? readRow(row, image)
            rows[row.box] = read
            characters += read.characters.map(\.alternatives)
            raw.append(read.characters.map(\.alternatives.best).joined())
            glyphs += read.glyphs
        }
        let results = matcher.match(characters, script: .latin)
        guard let best = results.first else { return nil }
        let confidence = ReadingEvidence(
            results, characters: characters, glyphs: glyphs, shape: candidate.score, country: matcher.country
        )
        .confidence
        let candidates = results.map {
            PlateReading.Candidate(plate: $0.plate, confidence: confidence * $0.score / best.score)
        }
        return PlateReading(
            plate: best.plate, raw: raw.joined(separator: " "), confidence: confidence, box: candidate.box,
            format: best.format.name, candidates: candidates, characters: characters)
    }

    /// Reads a row in one binarisation after another, until it is read surely or isn't worth more.
    private func readRow(_ row: GlyphChain, _ image: GrayImage) -> RowReading {
        let crop = extractor.crop(of: row, in: image)
        var readings: [RowReading] = []
        for binarisation in Binarisation.allCases {
            guard linesLeft > 0 else { break }
            // A row that hardly looks like a plate must read well soon.
            if readings.count > 1, row.score < Self.promisingScore,
                !readings.contains(where: { $0.characters.count > 3 && $0.sureness >= Self.promisingSureness })
            {
                break
            }
            guard let line = extractor.line(of: crop, binarisation: binarisation) else { continue }
            linesLeft -= 1
            let symbols = latin.read(line.image).compactMap(Self.plateSymbol)
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

    /// Upper-cases what was read and drops what no Latin plate carries.
    private static func plateSymbol(_ read: TesseractEngine.Symbol) -> TesseractEngine.Symbol? {
        var found: [String: Double] = [:]
        for alternative in read.alternatives.alternatives {
            let symbol = alternative.symbol.uppercased()
            guard symbol.count == 1, let value = symbol.first?.asciiValue,
                (48...57).contains(value) || (65...90).contains(value)
            else { continue }
            found[symbol] = max(found[symbol] ?? 0, alternative.probability)
        }
        // A dot, a hyphen or a piece of the frame: no character when nothing else was likely.
        guard let best = found.values.max(), best > 0.02 else { return nil }
        var symbol = read
        symbol.alternatives = CharacterAlternatives(found.map { .init(symbol: $0.key, probability: $0.value) })
        return symbol
    }
}
