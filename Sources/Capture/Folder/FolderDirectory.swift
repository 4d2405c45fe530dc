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

    /// Cameras that send by FTP make folders by date, and by hour in these. What lies deeper is nobody's picture.
    static let deepest = 4

    /// More folders than a camera makes in years are not looked into.
    static let mostFolders = 5000

    enum ReadFailure: Error, Equatable {
        /// The file is gone or has changed since it was listed: it is looked at again.
        case changed
        case tooLarge
        case system(String)
    }

    /// Where pictures that are answered for may be moved to. What is in it is not looked at again.
    static let done = "done"

    /// Tells this folder from another one made later at the same path.
    func identity() -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    func list() throws(CameraFailure) -> [FolderFile] { try listing().files }

    /// What is in the folder and in those below it.
    struct Listing {
        var files: [FolderFile] = []

        /// What lies beside the pictures that its owner may take for one.
        var passedOver = PassedOverFiles()

        /// The folders below, by their paths below this one.
        var folders: [String] = []
    }

    func listing() throws(CameraFailure) -> Listing {
        var listing = Listing()
        guard read("", into: &listing) else { throw failure(errno) }
        var next = 0
        while next < listing.folders.count {
            // One that is gone meanwhile, or that may not be read, holds up none of the others.
            _ = read(listing.folders[next], into: &listing)
            next += 1
        }
        return listing
    }

    /// Adds what is in one folder.
    ///
    /// - Returns: false when it can't be opened; `errno` says why.
    private func read(_ folder: String, into listing: inout Listing) -> Bool {
        guard let directory = opendir(folder.isEmpty ? path : path + "/" + folder) else { return false }
        defer { closedir(directory) }
        let prefix = folder.isEmpty ? "" : folder + "/"
        let mayGoDeeper = prefix.count { $0 == "/" } < Self.deepest
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                listing.passedOver.addUnnamed(raw(entry))
                continue
            }
            if !name.hasPrefix("."), isFolder(entry.pointee.d_type, name, in: dirfd(directory)) {
                if folder.isEmpty, name == Self.done { continue }
                if !mayGoDeeper { listing.passedOver.addDeep(prefix + name) }
                if mayGoDeeper, listing.folders.count < Self.mostFolders { listing.folders.append(prefix + name) }
                continue
            }
            guard FolderFile.isCandidate(name) else {
                listing.passedOver.add(name)
                continue
            }
            if let file = file(name, in: dirfd(directory), prefix: prefix) { listing.files.append(file) }
        }
        return true
    }

    /// Links to folders are not followed: they may lead around in a circle.
    private func isFolder(_ type: UInt8, _ name: String, in directory: Int32) -> Bool {
        guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
        var status = stat()
        return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A name as far as it is text.
    private func raw(_ entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// The file as it is now; nil when it is gone or no regular file.
    func file(_ name: String) -> FolderFile? {
        var status = stat()
        guard stat(path + "/" + name, &status) == 0 else { return nil }
        return FolderFile(name: name, status: status)
    }

    private func file(_ name: String, in directory: Int32, prefix: String) -> FolderFile? {
        var status = stat()
        guard fstatat(directory, name, &status, 0) == 0 else { return nil }
        return FolderFile(name: prefix + name, status: status)
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
