import Crypto
import Foundation

/// The models of a folder, and those that once took their place: switched by file, checked by hash.
///
/// A model in use is `models/NAME.traineddata`, the finder's network `models/plate-finder.weights`. Others of the same name
/// wait in `models/shelf/NAME/HASH/`, each with the table of symbols that belongs to it. Switching puts the one in use on the
/// shelf, so that nothing is ever lost; the database isn't touched.
package struct ModelShelf {
    package struct Entry: Sendable, Equatable, Codable {
        package var name: String

        /// The first 12 digits of the model's SHA-256.
        package var hash: String
        package var bytes: Int
        package var isUsed: Bool
        package var path: String
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

    /// What the names of models end on: Tesseract's, and the finder's network.
    package static let suffixes = [".traineddata", ".weights"]

    /// The models that are read with, by name.
    package static let names =
        [ModelFolder.latinModel, ModelFolder.devanagariModel]
        + [URL(fileURLWithPath: PlateSpotter.fileName).deletingPathExtension().lastPathComponent]

    /// Loads a model, to see whether it can be used.
    ///
    /// - Parameter folder: where its table of symbols lies if not beside it.
    package static func check(_ path: String, tableIn folder: String? = nil) throws {
        let file = URL(fileURLWithPath: path)
        if file.deletingPathExtension().lastPathComponent == ModelFolder.devanagariModel {
            let table = ModelFolder.devanagariModel + ".symbols.tsv"
            let beside = file.deletingLastPathComponent().appendingPathComponent(table).path
            let found = FileManager.default.fileExists(atPath: beside) ? beside : folder.map { "\($0)/\(table)" }
            _ = try ScriptModel.syllables(ofModelAt: path, table: found ?? beside)
        }
        if path.hasSuffix(suffixes[0]) {
            let folder = file.deletingLastPathComponent().path
            _ = try TesseractEngine(model: file.deletingPathExtension().lastPathComponent, folder: folder)
        } else {
            _ = try PlateSpotter(try Data(contentsOf: file))
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
        let waiting = folders(in: shelf).flatMap { folders(in: $0) }.flatMap { models(in: $0) }
            .map { entry($0, isUsed: false) }
        let inUse = Set(used.compactMap { $0?.hash })
        return (used + waiting.filter { !inUse.contains($0?.hash ?? "") }).compactMap { $0 }.sorted {
            ($0.isUsed ? 0 : 1, $0.name, $0.hash) < ($1.isUsed ? 0 : 1, $1.name, $1.hash)
        }
    }

    /// Takes a model into use: one on the shelf by the beginning of its hash, or a file by its path.
    ///
    /// The model is loaded before anything is changed.
    /// - Returns: the model in use now.
    package func use(_ text: String) throws(Failure) -> Entry {
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
        do {
            try Self.check(source.path, tableIn: folder.path)
        } catch {
            throw .unusable(path: source.path, reason: "\(error)")
        }
        do {
            let current = folder.appendingPathComponent(file)
            if FileManager.default.fileExists(atPath: current.path) { try putOnShelf(current, name: name) }
            // The one taken stands on the shelf too: so what is in use can be told from what was damaged or exchanged.
            try putOnShelf(source, name: name)
            try copy(source, name: name, to: folder)
        } catch {
            // Foundation's own text is but a number.
            throw .failed("\(folder.path) or the shelf in it can't be written. Is it yours, and is there room?")
        }
        guard let entry = entries().first(where: { $0.isUsed && $0.name == name }) else { throw .noSuchModel(text) }
        return entry
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
        let hash = SHA256.hash(data: data).prefix(6).map { String(format: "%02x", $0) }.joined()
        return Entry(
            name: model.deletingPathExtension().lastPathComponent, hash: hash, bytes: data.count, isUsed: isUsed,
            path: model.path)
    }

    private func models(in folder: URL) -> [URL] { children(of: folder).filter { Self.isModel($0.path) } }

    private static func isModel(_ path: String) -> Bool { suffixes.contains { path.hasSuffix($0) } }

    private func folders(in folder: URL) -> [URL] {
        children(of: folder).filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
    }

    private func children(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
}
