import Enforcement
import Foundation
import Storage

/// What the engine needs of the rest of the appliance.
package protocol SyncSurroundings: AnyObject {
    /// The names of this post's cameras.
    var cameras: [String] { get }

    /// Passages of the other post, or the server's word on ours, have arrived: matching tries again.
    func passagesArrived(at now: Instant) throws

    /// A photo as JPEG or PNG with at most so many bytes.
    ///
    /// - Throws: when the photo can't be read or made that small; it is then counted as an attempt.
    func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto

    /// Where in its photo a passage's plate was read; nil where nobody knows.
    func platePlace(of upload: PhotoUpload) -> PlatePlace?
}

package struct PreparedPhoto: Sendable, Equatable {
    package var bytes: Data
    /// `image/jpeg` or `image/png`
    package var mediaType: String

    package init(bytes: Data, mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
}
