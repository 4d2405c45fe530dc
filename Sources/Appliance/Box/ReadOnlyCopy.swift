import Enforcement
import Foundation
import Synchronization

/// A copy of a database that lies on a disk that can only be read: SQLite wants to write beside what it opens.
///
/// What is changed in it is lost, so it is said that it is a copy.
package enum ReadOnlyCopy {
    private static let made = Mutex<(original: String, folder: URL)?>(nil)

    /// Makes it the first time it is asked for.
    ///
    /// - Parameter note: tells whoever asked.
    /// - Returns: the copy's path.
    package static func make(of path: String, note: (String) -> Void) throws -> String {
        if let made = made.withLock({ $0 }), made.original == path {
            return made.folder.appendingPathComponent("checkpost.sqlite").path
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-\(UUID().uuidString)")
        made.withLock { $0 = (path, url) }
        let copy = url.appendingPathComponent("checkpost.sqlite").path
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            if FileManager.default.fileExists(atPath: path + "-wal") {
                try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
            }
        } catch {
            throw AdvisedError(
                "\(path) is on a disk that can only be read, and can't be copied to \(url.path): "
                    + error.localizedDescription,
                hint: "Set TMPDIR to a folder with room.")
        }
        note("\(path) is on a disk that can only be read. This is a copy: changes to it are lost.")
        return copy
    }

    /// Removes it, at the end of the program.
    package static func remove() {
        made.withLock { made in
            if let made { try? FileManager.default.removeItem(at: made.folder) }
            made = nil
        }
    }
}
