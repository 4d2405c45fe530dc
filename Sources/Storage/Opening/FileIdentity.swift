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
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        isEmpty = status.st_size == 0
    }

    func isSameFile(as other: Self) -> Bool { device == other.device && number == other.number }
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
