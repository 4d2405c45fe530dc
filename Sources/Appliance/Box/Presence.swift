import Foundation

/// Whether something is at a path. What may not be looked at is not taken for absent.
package enum Presence: Equatable, Sendable {
    case there
    case absent
    /// It can't be said, for this reason: permission is missing, mostly.
    case hidden(String)

    package static func of(_ path: String) -> Presence {
        var status = stat()
        if stat(path, &status) == 0 { return .there }
        return errno == ENOENT || errno == ENOTDIR ? .absent : .hidden(String(cString: strerror(errno)))
    }

    /// Whether this process may read what is there.
    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}
