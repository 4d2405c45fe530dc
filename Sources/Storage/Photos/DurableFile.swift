import Foundation

/// Files that are on the disk, whole, when the call returns.
package enum DurableFile {
    package struct Failure: Error {
        package var tried: String
        package var path: String
        package var code: Int32
        package var reason: String { String(cString: strerror(code)) }
    }

    /// Makes a folder and those between it and `root`, each in place for good.
    static func makeFolder(_ folder: URL, below root: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) { return }
        let parent = folder.deletingLastPathComponent()
        if folder.path.count > root.path.count { try makeFolder(parent, below: root) }
        guard mkdir(folder.path, 0o750) == 0 || errno == EEXIST else {
            throw Failure(tried: "Making the folder", path: folder.path, code: errno)
        }
        try syncFolder(parent)
    }

    /// Writes into a file beside the place, syncs it, and renames it there: a crash leaves the whole file or none.
    ///
    /// - Parameter ignoresUmask: the file gets just this mode, whatever the process takes away from those of others.
    package static func write(
        _ bytes: Data, to file: URL, mode: mode_t = 0o640, ignoresUmask: Bool = false
    ) throws {
        // A name of its own, so that two writers of the same picture don't meet.
        let temporary = "\(file.path).\(UUID().uuidString).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(tried: "Making the file", path: temporary, code: errno) }
        do {
            defer { close(descriptor) }
            try writeAll(bytes, to: descriptor, path: temporary)
            guard !ignoresUmask || fchmod(descriptor, mode) == 0 else {
                throw Failure(tried: "Opening the file to others", path: temporary, code: errno)
            }
            guard fsync(descriptor) == 0 else {
                throw Failure(tried: "Syncing the file", path: temporary, code: errno)
            }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, file.path) == 0 else {
            let code = errno
            unlink(temporary)
            throw Failure(tried: "Naming the file", path: file.path, code: code)
        }
        try syncFolder(file.deletingLastPathComponent())
    }

    static func remove(_ file: URL) throws {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw Failure(tried: "Removing the file", path: file.path, code: errno)
        }
    }

    /// Sets a file's time of writing to now.
    static func touch(_ file: URL) throws {
        guard utimes(file.path, nil) == 0 else { throw Failure(tried: "Dating the file", path: file.path, code: errno) }
    }

    private static func writeAll(_ bytes: Data, to descriptor: Int32, path: String) throws {
        try bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Foundation.write(
                    descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(tried: "Writing the file", path: path, code: errno) }
                written += count
            }
        }
    }

    /// Returns once what was written to a file is on the disk.
    static func sync(_ file: URL) throws {
        let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(tried: "Opening the file", path: file.path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(tried: "Syncing the file", path: file.path, code: errno) }
    }

    /// A new name is on the disk once its folder is.
    package static func syncFolder(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(tried: "Opening the folder", path: folder.path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(tried: "Syncing the folder", path: folder.path, code: errno) }
    }

    /// A folder with everything in it.
    package static func syncTree(_ folder: URL) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.appendingPathComponent(name).path
            // What a link leads to is no part of it.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if descriptor < 0, errno == ELOOP { continue }
            guard descriptor >= 0 else { throw Failure(tried: "Opening the file", path: path, code: errno) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw Failure(tried: "Syncing the file", path: path, code: errno) }
        }
        try syncFolder(folder)
    }
}
