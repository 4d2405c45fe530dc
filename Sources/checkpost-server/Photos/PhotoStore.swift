import Crypto
import Foundation

/// The bytes of the photos: files named by their content, in one folder.
///
/// The table storage.objects says which file a photo is; its row level security says who may have it. A file is written, and is on the
/// disk with its name, before the row that names it is committed, so a row never names half a photo or none.
package struct PhotoStore: Sendable {
    package let folder: String

    /// Brings what a descriptor stands for to the disk; -1 when that failed.
    private let sync: @Sendable (Int32) -> Int32

    package init(folder: String, sync: @escaping @Sendable (Int32) -> Int32 = { fsync($0) }) {
        self.folder = folder
        self.sync = sync
    }

    /// The SHA-256 in hexadecimal, by which a photo is found again.
    package static func hash(of data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    /// Stores the bytes under their hash. It returns when a power cut can't take them away any more.
    package func store(_ data: Data, hash: String) throws {
        let url = url(hash)
        let parent = url.deletingLastPathComponent()
        let isNewFolder = !FileManager.default.fileExists(atPath: parent.path)
        // Half a file under the right name can't come of this program, but of a disk.
        if size(url.path) != data.count {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try write(data, to: url)
        }
        try synchronize(folder: parent.path)
        if isNewFolder { try synchronize(folder: folder) }
    }

    private func write(_ data: Data, to url: URL) throws {
        let temporary = url.appendingPathExtension(UUID().uuidString)
        guard
            FileManager.default.createFile(
                atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o640])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: temporary.path]) }
        do {
            let file = try FileHandle(forWritingTo: temporary)
            try file.write(contentsOf: data)
            guard sync(file.fileDescriptor) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: temporary.path])
            }
            try file.close()
            // Renaming is atomic: another upload of the same bytes makes the same file.
            guard rename(temporary.path, url.path) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
            }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
    }

    /// A file's name is part of its folder, and reaches the disk with it.
    private func synchronize(folder: String) throws {
        let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: folder]) }
        defer { close(descriptor) }
        guard sync(descriptor) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: folder])
        }
    }

    private func size(_ path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    /// A photo that is being read.
    package struct OpenPhoto: Sendable {
        package let bytes: Int
        private let file: FileHandle

        fileprivate init(file: FileHandle, bytes: Int) {
            self.file = file
            self.bytes = bytes
        }

        /// The next piece, of so many bytes at most; empty at the end.
        package func next(_ most: Int) throws -> Data {
            try file.read(upToCount: most) ?? Data()
        }
    }

    /// The photo with that SHA-256; nil when there is none.
    package func open(_ hash: String) -> OpenPhoto? {
        guard hash.count == 64, hash.allSatisfy(\.isHexDigit), let bytes = size(url(hash).path),
            let file = FileHandle(forReadingAtPath: url(hash).path)
        else { return nil }
        return OpenPhoto(file: file, bytes: bytes)
    }

    /// Whether the bytes are there, and are still the ones of their name: a disk forgets.
    package func isWhole(_ hash: String) throws -> Bool {
        guard let file = open(hash) else { return false }
        var found = SHA256()
        while true {
            let piece = try file.next(1 << 18)
            guard !piece.isEmpty else { break }
            found.update(data: piece)
        }
        return found.finalize().map { String(format: "%02x", $0) }.joined() == hash
    }

    /// The bytes of a photo, if they are there and are still the ones of their name.
    package func whole(_ hash: String) throws -> Data? {
        guard let file = open(hash) else { return nil }
        var bytes = Data()
        while true {
            let piece = try file.next(1 << 18)
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return Self.hash(of: bytes) == hash ? bytes : nil
    }

    package func remove(_ hash: String) {
        guard hash.count == 64, hash.allSatisfy(\.isHexDigit) else { return }
        try? FileManager.default.removeItem(at: url(hash))
    }

    /// Gives the file a time; returns whether it has it.
    ///
    /// - Parameter isNew: whether it was stored just now. The time of another one never goes back: the clock may have.
    package func mark(_ hash: String, at time: Date, isNew: Bool = false) -> Bool {
        let (files, path) = (FileManager.default, url(hash).path)
        guard let before = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { return false }
        if !isNew, before >= time { return true }
        try? files.setAttributes([.modificationDate: time], ofItemAtPath: path)
        // Some file systems say yes and keep their own; others count in steps of two seconds.
        let after = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return after.map { abs($0.timeIntervalSince(time)) <= 2 } ?? false
    }

    /// Removes the files whose time is before this one, and what a stop has left half written; returns how many.
    package func removeUnmarked(since time: Date) throws -> Int {
        let files = FileManager.default
        var count = 0
        for folder in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            let parent = URL(fileURLWithPath: self.folder).appendingPathComponent(folder)
            for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.prefix(2) == folder {
                let file = parent.appendingPathComponent(name)
                var information = stat()
                guard lstat(file.path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                    Double(information.st_mtim.tv_sec) < time.timeIntervalSince1970.rounded(.down)
                else { continue }
                try files.removeItem(at: file)
                count += 1
            }
        }
        return count
    }

    /// Two levels, so that no folder has too many files.
    private func url(_ hash: String) -> URL {
        URL(fileURLWithPath: folder).appendingPathComponent(String(hash.prefix(2))).appendingPathComponent(hash)
    }
}
