import Foundation

/// Photos as files named by their content, in one folder of this machine.
package struct PhotoFolder: PhotoStorage {
    package let folder: String

    /// Brings what a descriptor stands for to the disk; -1 when that failed.
    private let sync: @Sendable (Int32) -> Int32

    package init(_ folder: String, sync: @escaping @Sendable (Int32) -> Int32 = { fsync($0) }) {
        self.folder = folder
        self.sync = sync
    }

    package func put(_ data: Data, as hash: String) throws {
        let url = url(hash)
        let parent = url.deletingLastPathComponent()
        let isNewFolder = !FileManager.default.fileExists(atPath: parent.path)
        // Half a file under the right name can't come of this program, but of a disk.
        if try size(url.path) != data.count {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try write(data, to: url)
        }
        try synchronize(parent.path)
        if isNewFolder { try synchronize(folder) }
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

    /// Where root stores a photo, it and its folder belong to the owner of the folder of all afterwards, also after a power cut.
    func giveToOwner(_ hash: String) throws {
        let file = url(hash)
        try FolderOwner(folder)?.give(file)
        try synchronize(file.path)
        try synchronize(file.deletingLastPathComponent().path)
    }

    /// Brings a file, or the names in a folder, to the disk. A file's name is part of its folder, and reaches the disk with it.
    private func synchronize(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        defer { close(descriptor) }
        guard sync(descriptor) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }

    /// Nil when there is no such file. Whoever may not look doesn't know.
    private func size(_ path: String) throws -> Int? {
        var information = stat()
        if stat(path, &information) == 0 { return Int(information.st_size) }
        guard errno == ENOENT else { throw Self.unreadable(path) }
        return nil
    }

    private static func unreadable(_ path: String) -> CocoaError {
        let code: CocoaError.Code = errno == EACCES ? .fileReadNoPermission : .fileReadUnknown
        return CocoaError(code, userInfo: [NSFilePathErrorKey: path])
    }

    package func size(of hash: String) throws -> Int? { try size(url(hash).path) }

    package func open(_ hash: String) throws -> OpenPhoto? {
        let path = url(hash).path
        guard let bytes = try size(path) else { return nil }
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // It went since its size was asked for.
            guard errno == ENOENT else { throw Self.unreadable(path) }
            return nil
        }
        return OpenPhoto(file: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), bytes: bytes)
    }

    package func remove(_ hash: String) throws {
        let path = url(hash).path
        guard unlink(path) == 0 || errno == ENOENT else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }

    package func hashes(after: String, most: Int) throws -> [String] {
        var found: [String] = []
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in folders.sorted() where name.count == 2 && name >= after.prefix(2) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
            found += files.filter { $0.count == 64 && $0.hasPrefix(name) && $0 > after }.sorted()
            if found.count >= most { break }
        }
        return Array(found.prefix(most))
    }

    package var trouble: String? { nil }
    package func probe() {}

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
