import Foundation

/// Which file a path names.
struct FileIdentity: Sendable {
    private let device: UInt64
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
