import Enforcement
import Glibc

/// A picture file as the folder's listing shows it.
struct FolderFile: Hashable, Sendable {
    /// Its path below the watched folder.
    var name: String
    var size: Int64
    var modifiedNanoseconds: Int64

    /// Without the folders that it lies in.
    var baseName: String { Self.baseName(name) }

    static func baseName(_ name: String) -> String {
        name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// Names this state of this file for good: the same name with other contents is another frame. One that was moved to another folder
    /// below the watched one is the same frame.
    var sourceKey: String { "\(baseName)|\(size)|\(modifiedNanoseconds)" }

    var modifiedAt: Instant { Instant(milliseconds: modifiedNanoseconds / 1_000_000) }

    init(name: String, size: Int64, modifiedNanoseconds: Int64) {
        self.name = name
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    /// Nil for anything but a regular file: a pipe named `.jpg` would never end.
    init?(name: String, status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(
            name: name, size: Int64(status.st_size),
            modifiedNanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    /// Whether a file of this name is looked at: a picture's extension, and not hidden (transfers write to hidden files first).
    static func isCandidate(_ name: String) -> Bool {
        let name = baseName(name)
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return PictureCheck.extensions.contains(name[name.index(after: dot)...].lowercased())
    }
}
