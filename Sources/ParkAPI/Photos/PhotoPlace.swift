import Foundation

/// Where a passage's photo lies at the server.
package struct PhotoPlace: Sendable, Equatable {
    package static let bucket = "passage-photos"

    /// Of what photo the bytes are a smaller copy: its SHA-256.
    package static let originalField = "x-photo-original"

    /// The passage's row.
    package var passage: UUID

    package init(of passage: UUID) {
        self.passage = passage
    }

    /// As the row names it: `passage-photos/<id>.jpg`.
    package var name: String { "\(Self.bucket)/\(passage.sent).jpg" }

    /// Where it is put.
    package var path: String { "\(ParkPath.photos)/\(name)" }

    /// Where the picture lies that a row names, if it is the one that belongs to it: a client may write any path into a row.
    ///
    /// - Returns: nil for any other.
    package func downloadPath(named name: String) -> String? {
        let isOwn = ["jpg", "jpeg", "png"].contains { name == "\(Self.bucket)/\(passage.sent).\($0)" }
        return isOwn ? "\(ParkPath.photos)/authenticated/\(name)" : nil
    }
}
