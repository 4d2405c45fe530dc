import Foundation

/// The address of a Unix socket.
struct UnixAddress {
    private var name = sockaddr_un()
    private let length: Int

    /// - Parameter path: a leading @ stands for the zero byte of an abstract address.
    /// - Returns: nil where it is empty or longer than an address may be; `errno` says so.
    init?(_ path: String) {
        var bytes = Array(path.utf8)
        guard let first = bytes.first, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            errno = ENAMETOOLONG
            return nil
        }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        length = bytes.count
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Hands the address to a call of the system.
    func use<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sa_family_t>.size + length))
            }
        }
    }
}
