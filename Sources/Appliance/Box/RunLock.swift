import Enforcement
import Foundation

/// Held by the one `checkpost run` that a data folder may have.
///
/// The kernel lets go of it when the process ends, however it ends.
package final class RunLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `AdvisedError` when another `run` holds it, or the folder can't be written.
    package init(folder: String) throws {
        let path = Self.path(folder)
        var opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        // On a disk that takes no more files the folder itself is held.
        if opened < 0, errno == ENOSPC || errno == EDQUOT { opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard opened >= 0 else {
            throw AdvisedError(
                "\(path) can't be written: \(String(cString: strerror(errno))).",
                hint: "Make the data folder writable for the user that runs checkpost.")
        }
        // `status` holds it for a moment when it looks.
        var isHeld = flock(opened, LOCK_EX | LOCK_NB) == 0
        for _ in 0..<10 where !isHeld {
            usleep(20_000)
            isHeld = flock(opened, LOCK_EX | LOCK_NB) == 0
        }
        guard isHeld else {
            close(opened)
            throw AdvisedError(
                "Another `checkpost run` works on \(folder).", hint: "Stop it first: systemctl stop checkpost.")
        }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Whether a `run` ever worked on the folder.
    static func isPresent(folder: String) -> Bool {
        Presence.of(path(folder)) != .absent || isHeld(folder: folder)
    }

    /// Why nobody can say whether a `run` works on the folder: this user may not look into it. Nil when it can be said.
    static func hidden(folder: String) -> String? {
        switch Presence.of(path(folder)) {
        case .hidden(let reason): reason
        case .there: Presence.isReadable(path(folder)) ? nil : String(cString: strerror(EACCES))
        case .absent: nil
        }
    }

    /// Whether a `run` works on the folder now.
    package static func isHeld(folder: String) -> Bool {
        [path(folder), folder].contains { isLocked($0) }
    }

    private static func isLocked(_ path: String) -> Bool {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { return true }
        flock(opened, LOCK_UN)
        return false
    }

    private static func path(_ folder: String) -> String { folder + "/run.lock" }
}
