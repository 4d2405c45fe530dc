import Enforcement
import Foundation

/// The user that the service runs as: what is tried or written for the box is tried and owned as it will be used.
package struct ServiceUser: Sendable {
    package static let usualName = "checkpost"

    package let name: String
    package let user: uid_t
    package let group: gid_t

    /// - Returns: nil when there is no such user.
    package init?(named name: String = usualName) {
        guard let entry = getpwnam(name) else { return nil }
        (self.name, user, group) = (name, entry.pointee.pw_uid, entry.pointee.pw_gid)
    }

    /// Whose rights this process has.
    package static var current: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }

    /// Makes this process one of the user's, with its groups, for good. Only root can.
    package func become() throws {
        guard geteuid() == 0 else { return }
        guard initgroups(name, group) == 0, setgid(group) == 0, setuid(user) == 0 else {
            throw AdvisedError(
                "This program can't become the user \(name): \(String(cString: strerror(errno))).",
                hint: "Run it as root.")
        }
    }

    /// Whether this process may make and remove files in a folder.
    static func mayWrite(folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && access(folder, R_OK | W_OK | X_OK) == 0
    }

    /// Writes a file whole, for the user to read; only the owner writes it.
    ///
    /// - Parameter isSecret: for the user alone, and not for its group.
    package static func write(_ data: Data, to path: String, for owner: ServiceUser?, isSecret: Bool = false) throws {
        let new = "\(path).\(getpid()).new"
        func fail() -> AdvisedError {
            let reason = String(cString: strerror(errno))
            unlink(new)
            return AdvisedError("\(path) can't be written: \(reason).", hint: "Run this as root.")
        }
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw fail() }
        defer { close(descriptor) }
        let count = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard count == data.count else { throw fail() }
        if geteuid() == 0, let owner {
            // The configuration is root's, so that a program that was taken over can't change it; a secret is read by its user alone.
            guard fchown(descriptor, isSecret ? owner.user : 0, owner.group) == 0 else { throw fail() }
        }
        // Not left to the umask of whoever runs it.
        guard fchmod(descriptor, isSecret ? 0o600 : 0o640) == 0, fsync(descriptor) == 0, rename(new, path) == 0 else {
            throw fail()
        }
    }

    /// Makes a folder that the user may look into, or write.
    package static func makeFolder(_ path: String, for owner: ServiceUser?, isWritable: Bool) throws {
        guard case .absent = Presence.of(path) else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard geteuid() == 0, let owner else { return }
        _ = chown(path, isWritable ? owner.user : 0, owner.group)
        _ = chmod(path, 0o750)
    }
}
