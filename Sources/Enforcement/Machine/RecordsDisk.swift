/// The disk that a box keeps its records on, as it is remembered on another one.
///
/// A data folder on a disk of its own is there in two forms: with that disk, and as the empty folder below it while it isn't mounted.
/// What is told apart here is only that; what is in the folder is not looked at.
package struct RecordsDisk: Sendable, Equatable, Codable {
    /// The data folder, as it is configured.
    package var folder: String

    /// What is written in the data folder, and nowhere else: drawn once.
    package var mark: String

    /// Where the disk was mounted: for whoever has to mount it again.
    package var mountPoint: String

    package init(folder: String, mark: String, mountPoint: String) {
        (self.folder, self.mark, self.mountPoint) = (folder, mark, mountPoint)
    }

    /// The data folder as it is now.
    package struct Found: Sendable, Equatable {
        package enum Mark: Sendable, Equatable {
            case text(String)
            case none
            /// The disk gives an error, or doesn't let this user look.
            case unreadable
        }

        package var folder: String
        package var mark: Mark

        /// Whether a disk is mounted at its place.
        package var hasOwnDisk: Bool

        package init(folder: String, mark: Mark, hasOwnDisk: Bool) {
            (self.folder, self.mark, self.hasOwnDisk) = (folder, mark, hasOwnDisk)
        }
    }

    package enum Standing: Sendable, Equatable {
        /// Nothing is known of this folder, or it never had a disk of its own.
        case unknown
        case home
        /// The disk is not mounted: what is at its place is the folder below.
        case away
        /// Something else is mounted in its place, or the folder was emptied.
        case replaced
    }

    /// - Parameter remembered: nil when nothing is.
    package static func standing(of found: Found, remembered: RecordsDisk?) -> Standing {
        guard let remembered, remembered.folder == found.folder else { return .unknown }
        if found.mark == .text(remembered.mark) { return .home }
        // Also where a mark is: a box may have run on the folder below, before it had the disk.
        if !found.hasOwnDisk { return .away }
        // A disk that gives errors is there. Its database says more.
        return found.mark == .unreadable ? .home : .replaced
    }
}
