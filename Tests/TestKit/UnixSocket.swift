import Foundation

/// Sockets that are files.
package enum UnixSocket {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A socket that stands at a path.
    package static func bound(to path: String, _ kind: __socket_type) throws -> Int32 {
        try named(path, kind, "bound") { bind($0, $1, $2) }
    }

    /// A socket that talks to the one at a path.
    package static func connected(to path: String, _ kind: __socket_type) throws -> Int32 {
        try named(path, kind, "connected") { connect($0, $1, $2) }
    }

    private static func named(
        _ path: String, _ kind: __socket_type, _ what: String,
        _ act: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var name = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw Failure(description: "The path \(path) is too long for a socket.")
        }
        let descriptor = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                act(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw Failure(
                description: "The socket at \(path) could not be \(what): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }
}
