import Crypto
import Foundation

/// The models of a folder, and those that once took their place: switched by file, checked by hash.
///
/// A model in use is `models/NAME.traineddata`, the networks that find plates and read them whole `models/plate-finder.weights` and
/// `models/whole-plate.weights`, the reader's parameters `models/reader.json`. Others of the same name wait in
/// `models/shelf/NAME/HASH/`, each with the table of symbols that belongs to it and the parameters that it was read with: where they
/// lie beside a model they are taken into use with it, since they were measured with it. Switching puts what is in use on the shelf, so
/// that nothing is ever lost; the database isn't touched.
package struct ModelShelf {
    package struct Entry: Sendable, Equatable, Codable {
        package var name: String

        /// The first 12 digits of the model's SHA-256.
        package var hash: String
        package var bytes: Int
        package var isUsed: Bool
        package var path: String

        /// Of a model: the parameters that it is read with, or was when it was put on the shelf, by their hash; nil where none lie beside it.
        package var parameters: String?

        /// Of parameters: the models that they were measured with, name and hash; nil where the file can't be read.
        package var madeFor: [String: String]?
    }

    /// What was taken into use.
    package struct Taken: Sendable, Equatable {
        package var model: Entry

        /// The parameters that came along with a model; nil where those in use stayed.
        package var parameters: Entry?
    }

    package enum Failure: Error, Equatable, CustomStringConvertible {
        case noFolder(String)
        case noSuchModel(String)
        case ambiguous(String)
        case unusable(path: String, reason: String)
        case failed(String)

        package var description: String {
            switch self {
            case .noFolder(let path): "there is no folder of models at \(path). Name it with --models"
            case .noSuchModel(let text): "no model matches \"\(text)\". `checkpost model list` names them"
            case .ambiguous(let text): "\"\(text)\" matches several models. Give more digits of the hash"
            case .unusable(let path, let reason): "\(path) can't be used: \(reason). Nothing was changed"
            case .failed(let reason): "the models can't be switched: \(reason)"
            }
        }
    }

    package let folder: URL
    private var shelf: URL { folder.appendingPathComponent("shelf") }

    package init(folder: String) throws(Failure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw .noFolder(folder)
        }
        self.folder = URL(fileURLWithPath: folder)
    }

    /// What the names of models end on: Tesseract's, and the networks.
    package static let suffixes = [".traineddata", ".weights"]

    /// The models that are read with, by name.
    package static let names =
        [ModelFolder.latinModel, ModelFolder.devanagariModel, ModelFolder.headingModel]
        + [PlateDetector.fileName, WholePlateReader.fileName, ReaderParameters.fileName].map {
            URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
        }

    /// The name of the reader's parameters among the models'.
    package static var parametersName: String { names[names.count - 1] }

    /// Loads a model, to see whether it can be used.
    ///
    /// - Parameter folder: where its table of symbols lies if not beside it.
    package static func check(_ path: String, tableIn folder: String? = nil) throws {
        let file = URL(fileURLWithPath: path)
        let name = file.deletingPathExtension().lastPathComponent
        if [ModelFolder.devanagariModel, ModelFolder.headingModel].contains(name) {
            let table = ModelFolder.tableOfSymbols
            let beside = file.deletingLastPathComponent().appendingPathComponent(table).path
            let found = FileManager.default.fileExists(atPath: beside) ? beside : folder.map { "\($0)/\(table)" }
            _ = try ScriptModel.syllables(ofModelAt: path, table: found ?? beside)
        }
        if file.lastPathComponent == ReaderParameters.fileName {
            _ = try ReaderParameters(try Data(contentsOf: file))
        } else if path.hasSuffix(suffixes[0]) {
            let folder = file.deletingLastPathComponent().path
            _ = try TesseractEngine(model: name, folder: folder)
        } else {
            let data = try Data(contentsOf: file)
            if file.lastPathComponent == WholePlateReader.fileName {
                _ = try WholePlateReader(data)
            } else {
                _ = try NetworkFile(data, for: PlateDetector.purpose)
            }
        }
    }

    /// Whether a model in use was taken into use by `use`, byte for byte.
    package func wasTaken(_ entry: Entry) -> Bool {
        models(in: shelf.appendingPathComponent(entry.name).appendingPathComponent(entry.hash))
            .contains { self.entry($0, isUsed: false)?.hash == entry.hash }
    }

    /// The models in use first, then the others on the shelf, by name and hash.
    package func entries() -> [Entry] {
        let used = models(in: folder).map { entry($0, isUsed: true) }
        let waiting = folders(in: shelf).flatMap { named in
            // A model's own folder holds the parameters that it was read with, too; those have a folder of their own.
            folders(in: named).flatMap { models(in: $0) }
                .filter { $0.deletingPathExtension().lastPathComponent == named.lastPathComponent }
        }.map { entry($0, isUsed: false) }
        let inUse = Set(used.compactMap { $0?.hash })
        return (used + waiting.filter { !inUse.contains($0?.hash ?? "") }).compactMap { $0 }.sorted {
            ($0.isUsed ? 0 : 1, $0.name, $0.hash) < ($1.isUsed ? 0 : 1, $1.name, $1.hash)
        }
    }

    /// Takes a model into use: one on the shelf by the beginning of its hash, or a file by its path.
    ///
    /// The reader's parameters that lie beside a model come along. All is loaded before anything is changed.
    package func use(_ text: String) throws(Failure) -> Taken {
        let source = try source(text)
        let file = source.lastPathComponent
        let name = source.deletingPathExtension().lastPathComponent
        guard Self.names.contains(name) else {
            throw .unusable(
                path: source.path,
                reason:
                    "nothing reads with a model called \(name). Name it as what it replaces: \(Self.names.joined(separator: ", "))"
            )
        }
        let companion = name == Self.parametersName ? nil : Self.parameters(beside: source)
        for (file, table) in [(companion, nil), (source, folder.path)] {
            guard let file else { continue }
            do {
                try Self.check(file.path, tableIn: table)
            } catch {
                throw .unusable(path: file.path, reason: "\(error)")
            }
        }
        let former = used(Self.parametersName)
        do {
            try take(source, as: file, name)
            if let companion { try take(companion, as: ReaderParameters.fileName, Self.parametersName) }
        } catch {
            // Foundation's own text is but a number.
            throw .failed("\(folder.path) or the shelf in it can't be written. Is it yours, and is there room?")
        }
        guard let entry = used(name) else { throw .noSuchModel(text) }
        let parameters = companion == nil ? nil : used(Self.parametersName)
        return Taken(model: entry, parameters: parameters?.hash == former?.hash ? nil : parameters)
    }

    /// What of a name is in use.
    package func used(_ name: String) -> Entry? { entries().first { $0.isUsed && $0.name == name } }

    /// The models in use that parameters weren't measured with; nil where the parameters don't say.
    package func strangers(to parameters: Entry) -> [String]? {
        parameters.madeFor.map { madeFor in
            entries().filter { entry in entry.isUsed && madeFor[entry.name].map { $0 != entry.hash } ?? false }
                .map(\.name)
        }
    }

    private func take(_ source: URL, as file: String, _ name: String) throws {
        let current = folder.appendingPathComponent(file)
        if FileManager.default.fileExists(atPath: current.path) { try putOnShelf(current, name: name) }
        // The one taken stands on the shelf too: so what is in use can be told from what was damaged or exchanged.
        try putOnShelf(source, name: name)
        try copy(source, name: name, to: folder)
    }

    private static func parameters(beside model: URL) -> URL? {
        let file = model.deletingLastPathComponent().appendingPathComponent(ReaderParameters.fileName)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    private func source(_ text: String) throws(Failure) -> URL {
        if Self.isModel(text), FileManager.default.fileExists(atPath: text) {
            return URL(fileURLWithPath: text)
        }
        let found = entries().filter { !$0.isUsed && $0.hash.hasPrefix(text.lowercased()) && text.count >= 4 }
        guard let entry = found.first else { throw .noSuchModel(text) }
        guard found.count == 1 else { throw .ambiguous(text) }
        return URL(fileURLWithPath: entry.path)
    }

    private func putOnShelf(_ model: URL, name: String) throws {
        guard let entry = entry(model, isUsed: true) else { return }
        let place = shelf.appendingPathComponent(name).appendingPathComponent(entry.hash)
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        guard model.deletingLastPathComponent().standardizedFileURL != place.standardizedFileURL else { return }
        if let parameters = Self.parameters(beside: model) { try copy(parameters, name: name, to: place) }
        try copy(model, name: name, to: place)
    }

    /// Copies a model and its table beside the target and renames them, so that a power cut leaves the old one or the new. All may
    /// read them: the service has a user of its own.
    private func copy(_ model: URL, name: String, to target: URL) throws {
        let table = model.deletingLastPathComponent().appendingPathComponent(name + ".symbols.tsv")
        for (file, named) in [(table, name + ".symbols.tsv"), (model, model.lastPathComponent)] {
            guard let data = FileManager.default.contents(atPath: file.path) else { continue }
            let path = target.appendingPathComponent(named)
            try data.write(to: path, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path.path)
        }
    }

    private func entry(_ model: URL, isUsed: Bool) -> Entry? {
        guard let data = FileManager.default.contents(atPath: model.path) else { return nil }
        let isParameters = model.lastPathComponent == ReaderParameters.fileName
        let beside = isParameters ? nil : Self.parameters(beside: model)
        return Entry(
            name: model.deletingPathExtension().lastPathComponent, hash: Self.hash(data), bytes: data.count,
            isUsed: isUsed, path: model.path,
            parameters: beside.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Self.hash),
            madeFor: isParameters ? (try? ReaderParameters(data))?.madeFor : nil)
    }

    /// The first 12 digits of the SHA-256.
    private static func hash(_ data: Data) -> String {
        SHA256.hash(data: data).prefix(6).map { String(format: "%02x", $0) }.joined()
    }

    private func models(in folder: URL) -> [URL] { children(of: folder).filter { Self.isModel($0.path) } }

    private static func isModel(_ path: String) -> Bool {
        suffixes.contains { path.hasSuffix($0) } || path.hasSuffix("/" + ReaderParameters.fileName)
            || path == ReaderParameters.fileName
    }

    private func folders(in folder: URL) -> [URL] {
        children(of: folder).filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
    }

    private func children(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
}
