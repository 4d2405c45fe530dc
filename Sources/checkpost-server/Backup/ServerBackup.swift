import Crypto
import Foundation

/// One backup: a folder with the database as `pg_dump` writes it, the list of its photos, and a manifest that says what both must be. The
/// photos themselves lie beside all backups, by their content, each once.
struct ServerBackup: Sendable {
    /// Of all backups.
    let place: URL
    /// When it began, which is what it is called: `2026-11-26T221500Z`.
    let stamp: String

    struct Manifest: Codable, Sendable, Equatable {
        var madeAt: Date
        /// The program that made it.
        var program: String
        /// The last migration that the database had.
        var migration: String
        var passages: Int
        var violations: Int
        var photos: Int
        /// Photos that a record names, and whose bytes were gone or wrong already.
        var lostPhotos: Int
        var dumpBytes: Int
        var dumpSHA256: String
        var photoListSHA256: String
        /// Each photo that it names says so by its file's time (``BackupMaker``). Nil in backups of programs that did not.
        var marksPhotos: Bool?
    }

    static let manifestName = "manifest.json"
    /// All files of one. The manifest is the last: without it there is no backup.
    static let files = ["checkpost.dump", "photos.txt", manifestName]

    var folder: URL { place.appendingPathComponent(stamp) }
    /// While it is being made: what has this name after a power cut is none.
    var unfinished: URL { place.appendingPathComponent(".part-" + stamp) }
    static func photos(at place: URL) -> PhotoFolder { PhotoFolder(place.appendingPathComponent("photos").path) }
    static func dump(in folder: URL) -> URL { folder.appendingPathComponent(files[0]) }
    static func photoList(in folder: URL) -> URL { folder.appendingPathComponent(files[1]) }

    init(at place: URL, stamp: String) {
        (self.place, self.stamp) = (place, stamp)
    }

    init(at place: URL, begun: Date) {
        let format = Date.ISO8601FormatStyle(dateSeparator: .dash, timeSeparator: .omitted)
        self.init(at: place, stamp: begun.formatted(format))
    }

    /// When it began, to the second.
    var begun: Date? {
        let format = Date.ISO8601FormatStyle(dateSeparator: .dash, timeSeparator: .omitted)
        return try? format.parse(stamp)
    }

    /// Those of a place that were finished, the oldest first.
    static func all(at place: URL) -> [ServerBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.filter { name in
            name.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{6}Z/) != nil
                && FileManager.default.fileExists(
                    atPath: place.appendingPathComponent(name).appendingPathComponent(manifestName).path)
        }.sorted().map { ServerBackup(at: place, stamp: $0) }
    }

    /// - Throws: ``Settings/Mistake`` when there is none that can be read.
    func manifest() throws -> Manifest {
        let path = folder.appendingPathComponent(Self.manifestName)
        guard let data = try? Data(contentsOf: path) else {
            throw Settings.Mistake(
                description: "\(path.path) can't be read: this is no backup, or you may not read it.")
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do { return try decoder.decode(Manifest.self, from: data) } catch {
            throw Settings.Mistake(description: "\(path.path) is no manifest of a backup.")
        }
    }

    /// The SHA-256 of a file, which may be larger than the memory.
    static func hash(of file: URL) throws -> (sha256: String, bytes: Int) {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var (hash, bytes) = (SHA256(), 0)
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
            hash.update(data: piece)
            bytes += piece.count
        }
        return (hash.finalize().hexadecimal, bytes)
    }

    /// The hashes of its photos.
    func photoHashes() throws -> [Substring] {
        try String(contentsOf: Self.photoList(in: folder), encoding: .utf8).split(separator: "\n")
    }

    /// Reads all of it once more.
    ///
    /// - Parameters:
    ///   - kept: where its photos lie; nil for the folder beside it.
    ///   - progress: told now and then how many photos were looked at.
    /// - Returns: what is wrong, in words; empty when it is whole.
    func complaints(of kept: (any PhotoStorage)? = nil, progress: (Int) -> Void = { _ in }) throws -> [String] {
        let manifest = try manifest()
        var wrong: [String] = []
        let dump = try? Self.hash(of: Self.dump(in: folder))
        if dump?.sha256 != manifest.dumpSHA256 || dump?.bytes != manifest.dumpBytes {
            wrong.append("\(Self.dump(in: folder).path) is not what was written")
        }
        guard (try? Self.hash(of: Self.photoList(in: folder)))?.sha256 == manifest.photoListSHA256 else {
            return wrong + ["\(Self.photoList(in: folder).path) is not what was written"]
        }
        let photos = kept ?? Self.photos(at: place)
        for (index, hash) in try photoHashes().enumerated() {
            if try photos.whole(String(hash)) == nil {
                wrong.append("the photo \(hash) is gone, or is not what was written")
            }
            if index % 1000 == 999 { progress(index + 1) }
        }
        return wrong
    }
}

extension [ServerBackup] {
    /// Those that go after a new one was made: the oldest, and before them what a clock that was ahead has made, which would else push out
    /// each new one until that day. The new one never goes.
    func surplus(after new: ServerBackup, keep: Int) -> [ServerBackup] {
        let others = filter { $0.stamp != new.stamp }.sorted {
            ($0.stamp < new.stamp ? 1 : 0, $0.stamp) < ($1.stamp < new.stamp ? 1 : 0, $1.stamp)
        }
        return Array(others.dropLast(Swift.max(1, keep) - 1))
    }
}
