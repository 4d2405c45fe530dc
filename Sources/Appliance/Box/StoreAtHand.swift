import Enforcement
import Foundation
import Storage

/// The database for a command that somebody types.
package enum StoreAtHand {
    /// Opens a database that is there. One isn't made by asking what is in it.
    ///
    /// - Parameters:
    ///   - making: makes it on a box that has not run yet, for whom the data folder belongs to.
    ///   - note: gets what is to be known beside the answer.
    /// - Throws: `AdvisedError`, `StoreError`.
    package static func open(_ path: String, making: Bool, note: (String) -> Void) throws -> Store {
        switch Presence.of(path) {
        case .there where Presence.isReadable(path):
            return try Store(path: DiskSpace.isReadOnly(at: path) ? try ReadOnlyCopy.make(of: path, note: note) : path)
        case .there: throw unreadable(path, String(cString: strerror(EACCES)))
        case .hidden(let reason): throw unreadable(path, reason)
        case .absent: break
        }
        guard making else {
            throw AdvisedError(
                "There is no database at \(path).",
                hint: "Start `checkpost run` first, or name another file with --database or --config.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try Store(path: path)
        FolderOwner.give(database: path, of: folder)
        return store
    }

    private static func unreadable(_ path: String, _ reason: String) -> AdvisedError {
        AdvisedError(
            "The database \(path) can't be read: \(reason).",
            hint: "Put sudo before the command, or sign in as a member of the group checkpost.")
    }
}
