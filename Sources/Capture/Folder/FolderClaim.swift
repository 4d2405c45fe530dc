import Glibc

/// Held on a watched folder, so that its vehicles are recorded once: by one camera of one box.
///
/// The kernel lets go of it when the process ends. Nothing is written into the folder.
final class FolderClaim {
    private let descriptor: Int32

    /// Nil when another watcher has the folder. A file system that knows no locks claims nothing, and says yes to everyone.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        return nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
