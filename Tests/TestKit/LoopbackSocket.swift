import Foundation
import Glibc

/// Sockets on 127.0.0.1 that tests listen on.
package enum LoopbackSocket {
    /// - Parameter port: 0 for one that the system chooses.
    package static func listening(on port: UInt16 = 0) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 32) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Hands on each connection, on a thread of its own, until the socket is shut down. That thread closes it: a number that another one
    /// closes would be another socket's by the time this one waits on it.
    package static func accept(on descriptor: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
        Thread {
            while true {
                let connection = Glibc.accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                body(connection)
            }
            close(descriptor)
        }.start()
    }

    package static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
