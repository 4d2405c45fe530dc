import Foundation

/// Which file a path names.
struct FileIdentity: Sendable {
    let device: UInt64
    private let number: UInt64
    let isEmpty: Bool

    /// Nil when there is none; `errno` says why.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        isEmpty = status.st_size == 0
    }

    func isSameFile(as other: Self) -> Bool { device == other.device && number == other.number }

    /// The same file as this process has it open, whether or not it has a name any more; nil when it hasn't.
    func asOpen() -> Self? {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.lazy.compactMap(Int32.init).compactMap { descriptor -> Self? in
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Self(status) : nil
        }.first(where: isSameFile)
    }
}

/// Which disk a path lies on.
package enum DiskIdentity {
    /// Of the path itself, or of the nearest folder above it that is there; nil where that can't be said.
    package static func device(ofNearest path: String) -> UInt64? {
        var place = URL(fileURLWithPath: path).standardizedFileURL
        while true {
            if let identity = FileIdentity(path: place.path) { return identity.device }
            guard [ENOENT, ENOTDIR].contains(errno), place.path != "/" else { return nil }
            place = place.deletingLastPathComponent()
        }
    }
}
