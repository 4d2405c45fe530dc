import Foundation
import Synchronization

/// Hears from the kernel when links, addresses and routes change: a hint to look for the server again.
///
/// A kernel without netlink, or a sandbox that forbids it, gives no hints; the probes find the link all the same.
package final class LinkWatch: Sendable {
    private let descriptor: Int32
    private let isStopped = Mutex(false)

    /// As the kernel's `sockaddr_nl`.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// RTMGRP_LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR, IPV6_ROUTE.
        var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    }

    /// - Parameter onChange: called from a thread of its own, once for what comes together.
    package init?(onChange: @escaping @Sendable () -> Void) {
        // SOCK_RAW and NETLINK_ROUTE; a second's time-out, so that the thread sees that it is to stop.
        descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = Address()
        let length = socklen_t(MemoryLayout<Address>.size)
        let descriptor = descriptor
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        var wait = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        guard isBound else {
            close(descriptor)
            return nil
        }
        let thread = Thread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while let self, !self.isStopped.withLock({ $0 }) {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                // ENOBUFS: changes were lost for want of room, so there were some.
                if count > 0 || errno == ENOBUFS { onChange() }
                if count < 0, ![EAGAIN, EINTR, ENOBUFS].contains(errno) { break }
            }
            close(descriptor)
        }
        thread.name = "link watch"
        thread.start()
    }

    package func stop() { isStopped.withLock { $0 = true } }
}
