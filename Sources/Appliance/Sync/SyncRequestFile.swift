import Enforcement
import Foundation

/// How `checkpost sync --now` asks a running appliance for a cycle: a file in the data folder, which the appliance removes when
/// the cycle is done.
///
/// Only one process sends what is in the queue, and that is the appliance while it runs.
package enum SyncRequestFile {
    package static func isThere(folder: String) -> Bool { access(path(folder), F_OK) == 0 }

    /// - Throws: `AdvisedError` when the folder can't be written.
    package static func make(folder: String) throws {
        let descriptor = open(path(folder), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw AdvisedError(
                "\(path(folder)) can't be written: \(String(cString: strerror(errno))).",
                hint: "Run it as root or as the user that runs checkpost.")
        }
        close(descriptor)
    }

    package static func remove(folder: String) { unlink(path(folder)) }

    private static func path(_ folder: String) -> String { folder + "/sync.request" }
}
