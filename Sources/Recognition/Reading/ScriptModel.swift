import Enforcement
import Plates
import Foundation

/// The model of one script, and what its symbols stand for.
final class ScriptModel {
    let script: PlateFormat.Script

    private let engine: TesseractEngine

    /// A dot, a hyphen or a piece of the frame: no character when nothing else was likelier than this.
    private static let leastLikely = 0.02

    /// The least width of a line that Tesseract is given, in pixels: its network halves it, and more.
    private static let leastWidth = 8

    /// What a symbol of the Devanagari model stands for: it writes one Latin symbol a syllable. Latin symbols are themselves.
    private let syllables: [String: String]

    private init(_ script: PlateFormat.Script, _ engine: TesseractEngine, syllables: [String: String] = [:]) {
        self.script = script
        self.engine = engine
        self.syllables = syllables
    }

    /// The project's Latin model; where it is missing, Tesseract's own for English.
    static func latin(models: String?) throws(ModelError) -> ScriptModel {
        if let folder = try? ModelFolder.folder(of: ModelFolder.latinModel, given: models) {
            return ScriptModel(.latin, try TesseractEngine(model: ModelFolder.latinModel, folder: folder))
        }
        let folder = try ModelFolder.folder(of: ModelFolder.fallbackModel, given: models)
        return ScriptModel(.latin, try TesseractEngine(model: ModelFolder.fallbackModel, folder: folder))
    }

    /// Tesseract's own model for English as a second opinion on rows that the project's is unsure of; nil where it isn't
    /// installed, or is the only one.
    static func secondLatin(models: String?) -> ScriptModel? {
        let folders = ModelFolder.candidates(given: models) + ModelFolder.ofTesseract
        guard (try? ModelFolder.folder(of: ModelFolder.latinModel, given: models)) != nil,
            let folder = folders.first(where: {
                FileManager.default.fileExists(atPath: "\($0)/\(ModelFolder.fallbackModel).traineddata")
            })
        else { return nil }
        return (try? TesseractEngine(model: ModelFolder.fallbackModel, folder: folder)).map { ScriptModel(.latin, $0) }
    }

    /// The Devanagari model; nil when there is none: then Latin plates are still read.
    static func devanagari(models: String?) throws(ModelError) -> ScriptModel? {
        try devanagari(named: ModelFolder.devanagariModel, models: models)
    }

    /// The model of headings; nil when there is none: then the Devanagari model reads them, a little worse.
    static func heading(models: String?) throws(ModelError) -> ScriptModel? {
        try devanagari(named: ModelFolder.headingModel, models: models)
    }

    private static func devanagari(named name: String, models: String?) throws(ModelError) -> ScriptModel? {
        guard let folder = try? ModelFolder.folder(of: name, given: models) else { return nil }
        let syllables = try syllables(
            ofModelAt: "\(folder)/\(name).traineddata", table: "\(folder)/\(ModelFolder.tableOfSymbols)")
        return ScriptModel(.devanagari, try TesseractEngine(model: name, folder: folder), syllables: syllables)
    }

    /// What each symbol of a Devanagari model stands for.
    ///
    /// - Throws: `ModelError.unfitTable` when the table has no word for a symbol that the model writes: such a model would read on,
    ///   and wrongly.
    static func syllables(ofModelAt path: String, table: String) throws(ModelError) -> [String: String] {
        guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { throw .unfitTable(path: table) }
        var syllables: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: "\t")
            if fields.count >= 2 { syllables[String(fields[0])] = String(fields[1]) }
        }
        guard let written = FileManager.default.contents(atPath: path).flatMap(ModelFile.init)?.symbolTable else {
            throw .unreadable(path: path)
        }
        let symbols = written.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
            .filter { $0.count == 1 }
        guard !syllables.isEmpty, symbols.allSatisfy({ syllables[String($0)] != nil }) else {
            throw .unfitTable(path: table)
        }
        return syllables
    }

    /// Reads a line as wide as it wants to be read; the symbols' places are those of the line.
    func read(_ line: LineImage) -> [TesseractEngine.Symbol] {
        guard line.stretch != 1 else { return read(line.image) }
        let width = max(Self.leastWidth, Int(Double(line.image.width) * line.stretch))
        let factor = Double(line.image.width) / Double(width)
        let image = line.image.sampled(
            width: width, height: line.image.height, origin: Point(0.5 * factor - 0.5, 0), right: Point(factor, 0),
            down: Point(0, 1))
        return read(image).map { symbol in
            var moved = symbol
            moved.left *= factor
            moved.right *= factor
            return moved
        }
    }

    /// Reads a line. What no plate of the script carries is left out.
    func read(_ line: GrayImage) -> [TesseractEngine.Symbol] {
        engine.read(line).compactMap { read in
            var found: [String: Double] = [:]
            for alternative in read.alternatives.alternatives {
                guard let symbol = plateSymbol(alternative.symbol) else { continue }
                found[symbol] = max(found[symbol] ?? 0, alternative.probability)
            }
            guard let best = found.values.max(), best > Self.leastLikely else { return nil }
            var symbol = read
            symbol.alternatives = CharacterAlternatives(
                found.map { .init(symbol: $0.key, probability: $0.value) })
            return symbol
        }
    }

    private func plateSymbol(_ symbol: String) -> String? {
        guard script == .latin else { return syllables[symbol] }
        let capital = symbol.uppercased()
        guard capital.count == 1, let character = capital.first, character.isASCII,
            character.isNumber || character.isLetter
        else { return nil }
        return capital
    }
}
