import Enforcement

/// Reads plate candidates with Tesseract. It belongs to one thread at a time.
package final class PlateReader {
    private let latin: TesseractEngine
    private let matcher: FormatMatcher
    private var extractor = LineExtractor()

    /// What was read of a row, by the row's box, so that a row that stands in several candidates is read once.
    private var rows: [Box: [CharacterAlternatives]] = [:]

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

    /// Forgets the rows of the picture before.
    package func startPicture() {
        rows.removeAll(keepingCapacity: true)
    }

    /// - Returns: nil when no format fits what was read.
    package func read(_ candidate: PlateCandidate, in image: GrayImage) -> PlateReading? {
        var characters: [CharacterAlternatives] = []
        var raw: [String] = []
        for row in candidate.rows {
            let read = rows[row.box] ?? readRow(row, image)
            rows[row.box] = read
            characters += read
            raw.append(read.map(\.best).joined())
        }
        let results = matcher.match(characters, script: .latin)
        guard let best = results.first else { return nil }
        let confidence = confidence(of: best, runnerUp: results.dropFirst().first, candidate)
        let candidates = results.map {
            PlateReading.Candidate(plate: $0.plate, confidence: confidence * $0.score / best.score)
        }
        return PlateReading(
            plate: best.plate, raw: raw.joined(separator: " "), confidence: confidence, box: candidate.box,
            format: best.format.name, candidates: candidates, characters: characters)
    }

    private func confidence(
        of best: FormatMatcher.Result, runnerUp: FormatMatcher.Result?, _ candidate: PlateCandidate
    ) -> Double {
        let glyphs = candidate.rows.reduce(0) { $0 + $1.glyphs.count }
        let agreement = 1 - 0.12 * Double(min(4, abs(glyphs - best.plate.compact.count)))
        return max(0, min(1, best.score * agreement * (0.6 + 0.4 * candidate.score)))
    }

    private func readRow(_ row: GlyphChain, _ image: GrayImage) -> [CharacterAlternatives] {
        guard let line = extractor.line(of: row, in: image, binarisation: .local) else { return [] }
        return latin.read(line.image).compactMap(Self.plateCharacter)
    }

    /// Upper-cases what was read and drops what no Latin plate carries.
    private static func plateCharacter(_ character: CharacterAlternatives) -> CharacterAlternatives? {
        var found: [String: Double] = [:]
        for alternative in character.alternatives {
            let symbol = alternative.symbol.uppercased()
            guard symbol.count == 1, let value = symbol.first?.asciiValue,
                (48...57).contains(value) || (65...90).contains(value)
            else { continue }
            found[symbol] = max(found[symbol] ?? 0, alternative.probability)
        }
        // A dot, a hyphen or a piece of the frame: no character when nothing else was likely.
        guard let best = found.values.max(), best > 0.02 else { return nil }
        return CharacterAlternatives(found.map { .init(symbol: $0.key, probability: $0.value) })
    }
}
