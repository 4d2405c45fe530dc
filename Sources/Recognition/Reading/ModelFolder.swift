import Foundation

/// Where the models are.
package enum ModelFolder {
    package static let latinModel = "latin-plate"
    package static let devanagariModel = "devanagari-plate"

    /// Reads the small writing above the number of plates by province; its symbols are those of the Devanagari model.
    package static let headingModel = "devanagari-heading"

    /// What each symbol of the two models for Devanagari stands for.
    static let tableOfSymbols = devanagariModel + ".symbols.tsv"

    /// Tesseract's own model for English: reads Latin plates where the project's model is missing.
    package static let fallbackModel = "eng"

    /// Where Debian puts Tesseract's own models.
    static let ofTesseract = ["/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata"]

    /// The folders that are searched, in order.
    ///
    /// - Parameter given: what the user named: nothing else is searched then. Without it, `CHECKPOST_MODELS` is such a name.
    package static func candidates(given: String?) -> [String] {
        if let given { return [given] }
        if let named = ProcessInfo.processInfo.environment["CHECKPOST_MODELS"], !named.isEmpty { return [named] }
        var folders: [String] = []
        // A build folder lies inside the checkout, whose `models` is then the right one.
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        // Beside a program that was installed, or unpacked beside the installed one: its own models.
        folders.append(folder.deletingLastPathComponent().appendingPathComponent("share/checkpost/models").path)
        for _ in 0..<6 {
            folders.append(folder.appendingPathComponent("models").path)
            folder.deleteLastPathComponent()
        }
        folders += ["/usr/local/share/checkpost/models", "/usr/share/checkpost/models"]
        return folders + ofTesseract
    }

    /// What the file of a network holds.
    static func network(_ name: String = PlateDetector.fileName, given: String?) throws(NetworkError) -> Data {
        let folders = candidates(given: given)
        for folder in folders {
            let path = "\(folder)/\(name)"
            if let data = FileManager.default.contents(atPath: path) { return data }
        }
        throw .missing(name, searched: folders)
    }

    /// The reader's parameters that belong to the models: they lie beside the Latin one.
    package static func parameters(given: String?) throws(ModelError) -> ReaderParameters {
        let folders = (try? folder(of: latinModel, given: given)).map { [$0] } ?? candidates(given: given)
        for folder in folders {
            let path = "\(folder)/\(ReaderParameters.fileName)"
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            do {
                return try ReaderParameters(data)
            } catch {
                throw .unfitParameters(path: path, reason: error)
            }
        }
        throw .missingParameters(searched: folders)
    }

    /// The first folder that has the model.
    package static func folder(of model: String, given: String?) throws(ModelError) -> String {
        let folders = candidates(given: given)
        let found = folders.first { FileManager.default.fileExists(atPath: "\($0)/\(model).traineddata") }
        guard let found else { throw .missing(name: model, searched: folders) }
        return found
    }
}
