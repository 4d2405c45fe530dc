import Foundation
import Glibc

/// A small file that survives a power cut, readable by its owner alone.
enum DurableFile {
    /// Replaces the file at `path` as a whole.
    ///
    /// - Returns: whether it is on the disk.
    static func write(_ text: String, to path: String) -> Bool {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor != -1 else { return false }
        let folder = (path as NSString).deletingLastPathComponent
        giveToOwner(of: folder, descriptor)
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return false
        }
        // The rename is on the disk when the directory is.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory != -1 else { return false }
        defer { close(directory) }
        return fsync(directory) == 0
    }

    /// A technician who tries the modem as root must not take the file away from the service.
    private static func giveToOwner(of folder: String, _ descriptor: Int32) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
}
