import Foundation
import Synchronization

/// A port of loopback for a server that is told its port, or started again at the same one.
package enum FreePort {
    package struct NoneIsFree: Error {}

    /// Below the ports that the kernel gives to outgoing connections: nobody takes it while the server is down. Processes that run
    /// side by side begin at different places, and none gives a port twice.
    package static func next() throws -> Int {
        try place.withLock { place in
            for _ in 0..<ports {
                place = (place + 1) % ports
                if isFree(first + place) { return first + place }
            }
            throw NoneIsFree()
        }
    }

    private static let first = 20_000
    private static let ports = 10_000
    private static let place = Mutex(Int(getpid()) * 61 % ports)

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
