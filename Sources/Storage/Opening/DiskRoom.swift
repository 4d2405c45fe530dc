import Foundation

/// Whether a disk has room: SQLite names a full disk in several ways, and some of them sound like a broken one.
package enum DiskRoom {
    /// With less, SQLite can't open a database: its shared memory takes 32 KB and its log needs some pages.
    private static let leastBytes = 128 << 10

    /// Names of files that are left; a file system without such a count says zero for all.
    private static let leastFiles = 4

    enum State: Equatable {
        case some
        case noBytes
        case noFiles
    }

    /// Whether the disk that holds this folder takes no more files, or no more bytes.
    package static func isFull(folder: String) -> Bool { state(in: folder) != .some }

    /// - Parameter path: of a file; it need not be there.
    static func state(beside path: String) -> State {
        state(in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private static func state(in folder: String) -> State {
        var figures = statvfs()
        guard statvfs(folder, &figures) == 0 else { return .some }
        if Int(figures.f_bavail) * Int(figures.f_frsize) < leastBytes { return .noBytes }
        if figures.f_files > 0, figures.f_favail < UInt(leastFiles) { return .noFiles }
        return .some
    }
}
