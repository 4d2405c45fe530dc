import Enforcement
import Foundation
import Glibc

/// Lists and reads the pictures of a folder. Nothing is written, so a read-only folder is fine.
struct FolderDirectory: Sendable {
    let path: String

    /// Greater files are no camera's pictures, and would fill the memory.
    static let largestFile: Int64 = 40 << 20

    /// As much of a file as holds its EXIF block: one segment of at most 64 KB near the beginning.
    static let headLength = 68 << 10

    enum ReadFailure: Error, Equatable {
        /// The file is gone or has changed since it was listed: it is looked at again.
        case changed
        case tooLarge
        case system(String)
    }

    /// Tells this folder from another one made later at the same path.
    func identity() -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    func list() throws(CameraFailure) -> [FolderFile] { try listing().files }

    /// The pictures, and what lies beside them that its owner may take for one.
    func listing() throws(CameraFailure) -> (files: [FolderFile], passedOver: PassedOverFiles) {
        guard let directory = opendir(path) else { throw failure(errno) }
        defer { closedir(directory) }
        var files: [FolderFile] = []
        var passedOver = PassedOverFiles()
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                passedOver.addUnnamed(raw(entry))
                continue
            }
            guard FolderFile.isCandidate(name) else {
                passedOver.add(name)
                continue
            }
            if let file = file(name, in: dirfd(directory)) { files.append(file) }
        }
        return (files, passedOver)
    }

    /// A name as far as it is text.
    private func raw(_ entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// The file as it is now; nil when it is gone or no regular file.
    func file(_ name: String) -> FolderFile? { file(name, in: AT_FDCWD, path: path + "/" + name) }

    private func file(_ name: String, in directory: Int32, path: String? = nil) -> FolderFile? {
        var status = stat()
        guard fstatat(directory, path ?? name, &status, 0) == 0 else { return nil }
        return FolderFile(name: name, status: status)
    }

    /// The first bytes of a file, for its capture time; empty when it can't be read.
    func head(of file: FolderFile) -> Data {
        (try? read(file, atMost: Self.headLength)) ?? Data()
    }

    /// The whole file, which must still be as it was listed.
    func contents(of file: FolderFile) throws(ReadFailure) -> Data {
        guard file.size <= Self.largestFile else {
            throw .tooLarge
        }
        return try read(file, atMost: Int(file.size))
    }

    private func read(_ file: FolderFile, atMost limit: Int) throws(ReadFailure) -> Data {
        // O_NONBLOCK: should a pipe have taken the file's place, opening it must not wait for a writer.
        let descriptor = open(path + "/" + file.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .changed : .system(Self.text(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FolderFile(name: file.name, status: status) == file else {
            throw .changed
        }
        var data = Data(count: min(limit, Int(file.size)))
        var filled = 0
        while filled < data.count {
            let count = data.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(Self.text(errno)) }
            guard count > 0 else { throw .changed }
            filled += count
        }
        // A writer may have begun anew meanwhile.
        guard fstat(descriptor, &status) == 0, FolderFile(name: file.name, status: status) == file else {
            throw .changed
        }
        return data
    }

    func failure(_ code: Int32) -> CameraFailure {
        let hint =
            switch code {
            case ENOENT:
                "Create the folder, or correct its path in the configuration; it is looked for again by itself."
            case EACCES: "Let the user that runs checkpost read the folder (chmod, chown or its group)."
            case ENOTDIR: "The path must name a folder of pictures."
            default: "Look at the disk and at the system's log."
            }
        return CameraFailure("Can't read the folder \(path): \(Self.text(code))", hint: hint)
    }

    static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
