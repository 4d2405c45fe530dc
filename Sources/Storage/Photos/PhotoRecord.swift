import Enforcement

/// A photo on the disk.
package struct PhotoRecord: Sendable, Equatable {
    /// Of the bytes as the camera gave them, lower-case hexadecimal.
    package var sha256: String

    /// Below the data folder: `photos/2026-11-21/<sha256>.jpg`.
    package var path: String

    package var bytes: Int

    /// `image/jpeg`, `image/png` or `image/x-portable-anymap`.
    package var mediaType: String

    package var keptAt: Instant

    /// Of the file, where the disk was short of room and the picture was made smaller; nil when it is as the camera gave it.
    package var keptSHA256: String?

    package init(
        sha256: String, path: String, bytes: Int, mediaType: String, keptAt: Instant, keptSHA256: String? = nil
    ) {
        self.sha256 = sha256
        self.path = path
        self.bytes = bytes
        self.mediaType = mediaType
        self.keptAt = keptAt
        self.keptSHA256 = keptSHA256
    }
}
