import Foundation

/// The room on the disk that holds the data folder.
struct DiskGauge: Sendable {
    /// Nil when the disk can't be asked.
    var freeBytes: @Sendable () -> Int?
    var totalBytes: @Sendable () -> Int?

    static func live(_ folder: String) -> DiskGauge {
        DiskGauge(
            freeBytes: { DiskSpace.freeBytes(at: folder) }, totalBytes: { DiskSpace.totalBytes(at: folder) })
    }
}
