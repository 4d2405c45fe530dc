import CTesseract
import Enforcement
import Plates
import Foundation

/// Why the reader can't start.
package enum ModelError: Error, Equatable, CustomStringConvertible {
    case missing(name: String, searched: [String])
    case unreadable(path: String)

    /// The reader's parameters, which are not part of the program.
    case missingParameters(searched: [String])
    case unfitParameters(path: String, reason: ReaderParameters.Failure)

    /// The table of a model's symbols is missing, damaged, or another model's.
    case unfitTable(path: String)

    package var description: String {
        switch self {
        case .missing(let name, let searched):
            "the model \(name).traineddata is missing. Looked in \(searched.joined(separator: ", ")). "
                + "Put it into one of these folders, or name its folder: `models` in [reader], or --models"
        case .unreadable(let path):
            "Tesseract can't load the model \(path): the file is damaged or made for another version"
        case .missingParameters(let folders):
            "\(ReaderParameters.fileName) is missing: the numbers that the models are read with. Looked in "
                + "\(folders.joined(separator: ", ")). Put the one there that came with the models, or the program's own from models/"
        case .unfitParameters(let path, let reason):
            "\(path) can't be used: \(reason). Take the file that came with the models beside it, or bring one back with "
                + "`checkpost model list` and `model use`"
        case .unfitTable(let path):
            "\(path) is missing, damaged, or belongs to another model. Take it from where the model beside it came from"
        }
    }
}

/// One Tesseract engine with one model. It belongs to one thread at a time.
///
/// Starting one takes 60 to 95 ms, reading a line 2 to 6 ms. Tesseract would share out every line among all cores, which
/// takes many times as long as reading it on one.
package final class TesseractEngine {
    /// One thing that was read.
    package struct Symbol: Sendable, Equatable {
        package var alternatives: CharacterAlternatives

        /// Where it stands in the line, in pixels; right to some pixels.
        package var left: Double
        package var right: Double

        package var center: Double { (left + right) / 2 }

        var best: String { alternatives.best }
    }

    /// A line with more symbols is no plate's: the longest have 10, and each may be read as two or three.
    static let maximumSymbols = 32

    private let handle: OpaquePointer

    /// - Parameters:
    ///   - model: the file's name without `.traineddata`.
    ///   - folder: where it is.
    package init(model: String, folder: String) throws(ModelError) {
        let path = folder + "/" + model + ".traineddata"
        guard FileManager.default.fileExists(atPath: path) else { throw .missing(name: model, searched: [folder]) }
        guard let stored = FileManager.default.contents(atPath: path), var file = ModelFile(stored) else {
            throw .unreadable(path: path)
        }
        file.makeSafeForAlternatives()
        guard let created = TessBaseAPICreate() else { throw .unreadable(path: path) }
        handle = created
        // What Tesseract would print about a damaged model is said by the error instead.
        _ = TessBaseAPISetVariable(created, "debug_file", "/dev/null")
        let failed = file.data.withUnsafeBytes { bytes in
            TessBaseAPIInit5(
                created, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), model, OEM_LSTM_ONLY, nil, 0,
                nil, nil, 0, 0)
        }
        guard failed == 0 else {
            TessBaseAPIDelete(created)
            throw .unreadable(path: path)
        }
        TessBaseAPISetPageSegMode(created, PSM_RAW_LINE)
        for (name, value) in [
            ("lstm_choice_mode", "2"), ("load_system_dawg", "0"), ("load_freq_dawg", "0"),
            ("tessedit_do_invert", "0"), ("debug_file", "/dev/null"),
        ] {
            _ = TessBaseAPISetVariable(created, name, value)
        }
    }

    /// OpenMP's `omp_set_max_active_levels`, which holds for the thread that calls it. Nil when Tesseract was built without
    /// OpenMP.
    private static let setThreadLevels: (@convention(c) (Int32) -> Void)? = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "omp_set_max_active_levels") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Void).self)
    }()

    deinit {
        TessBaseAPIEnd(handle)
        TessBaseAPIDelete(handle)
    }

    /// Reads one line of text.
    ///
    /// - Parameter line: dark glyphs on white, about 40 px high.
    /// - Returns: what every character may be and where it stands, left to right; empty when nothing was read.
    package func read(_ line: GrayImage) -> [Symbol] {
        // No level of threads: Tesseract asks for four by number, whatever their usual count is set to.
        Self.setThreadLevels?(0)
        line.pixels.withUnsafeBufferPointer { pixels in
            TessBaseAPISetImage(
                handle, pixels.baseAddress, Int32(line.width), Int32(line.height), 1, Int32(line.width))
        }
        // Said so that Tesseract doesn't guess one and complain; a line's size is the same at any.
        TessBaseAPISetSourceResolution(handle, 200)
        guard TessBaseAPIRecognize(handle, nil) == 0, let results = TessBaseAPIGetIterator(handle) else { return [] }
        defer { TessResultIteratorDelete(results) }
        var symbols: [Symbol] = []
        repeat {
            if let alternatives = alternatives(at: results) {
                var (left, top, right, bottom) = (Int32(0), Int32(0), Int32(0), Int32(0))
                let page = TessResultIteratorGetPageIteratorConst(results)
                _ = TessPageIteratorBoundingBox(page, RIL_SYMBOL, &left, &top, &right, &bottom)
                symbols.append(Symbol(alternatives: alternatives, left: Double(left), right: Double(right)))
            }
        } while symbols.count < Self.maximumSymbols && TessResultIteratorNext(results, RIL_SYMBOL) != 0
        return symbols
    }

    private func alternatives(at results: OpaquePointer) -> CharacterAlternatives? {
        guard let text = TessResultIteratorGetUTF8Text(results, RIL_SYMBOL) else { return nil }
        let best = String(cString: text)
        TessDeleteText(text)
        guard !best.isEmpty else { return nil }
        var found = [best: Self.probability(confidence: TessResultIteratorConfidence(results, RIL_SYMBOL))]
        if let choices = TessResultIteratorGetChoiceIterator(results) {
            repeat {
                // The text belongs to the iterator.
                guard let choice = TessChoiceIteratorGetUTF8Text(choices) else { continue }
                let symbol = String(cString: choice)
                let probability = Self.probability(confidence: TessChoiceIteratorConfidence(choices))
                if !symbol.isEmpty { found[symbol] = max(found[symbol] ?? 0, probability) }
            } while TessChoiceIteratorNext(choices) != 0
            TessChoiceIteratorDelete(choices)
        }
        return CharacterAlternatives(scaled: found)
    }

    /// Tesseract's confidence is 100 + 35 ln p, cut off at 0: what it cuts off, p below 0.06, becomes 0.01.
    static func probability(confidence: Float) -> Double {
        confidence <= 0 ? 0.01 : exp((min(100, Double(confidence)) - 100) / 35)
    }
}
