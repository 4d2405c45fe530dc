import Enforcement
import Foundation
import Recognition
import Storage

/// How a new photo is kept on a disk that fills: records need what is left of it more.
struct PhotoRoom {
    private let photos: DiskRoomPlan.Photos
    private let freeBytes: Int

    /// Plates are legible still, and the disk takes some times as many.
    static let smallBytes = 80_000

    init(folder: String) {
        let free = DiskSpace.freeBytes(at: folder) ?? .max
        freeBytes = free
        photos = DiskSpace.totalBytes(at: folder).map { DiskRoomPlan(totalBytes: $0).photos(freeBytes: free) } ?? .whole
    }

    /// What is written in place of a picture; nil for the picture itself.
    ///
    /// - Throws: `StoreError` of kind `diskFull` when no photo may be kept.
    func smaller(_ picture: Data) throws -> Data? {
        switch photos {
        case .whole: return nil
        case .smaller:
            guard picture.count > Self.smallBytes else { return nil }
            return try? PhotoEncoder.jpeg(of: picture, maximumBytes: Self.smallBytes)
        case .none:
            throw StoreError(
                .diskFull, "The disk has \(Wording.bytes(freeBytes)) left, which are kept for records.",
                hint: "Free space on it; photos are kept again by themselves then.")
        }
    }
}
