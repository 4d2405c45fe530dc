import Foundation
import Glibc

/// Keeps a serial port to one program: `LCK..ttyUSB0` in the lock directory, as dial-up programs have done for decades.
///
/// Root may open a port that another program holds exclusively, so that the device alone can't guard itself. The file holds
/// the process id in ten columns; an advisory lock on it ends with the process, however that ends.
final class PortLock {
    private let descriptor: Int32
    let path: String

    /// - Throws: ``SerialPortError/inUse(path:processID:)`` when a living process holds the port.
    init(device: String, directory: String) throws(SerialPortError) {
        let name = device.split(separator: "/").dropFirst(device.hasPrefix("/dev/") ? 1 : 0).joined(separator: "_")
        path = "\(directory)/LCK..\(name)"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .lockFile(path: path, reason: String(cString: strerror(errno))) }
        let owner = Self.owner(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: device, processID: owner)
        }
        if let owner, owner != getpid(), kill(owner, 0) == 0 || errno == EPERM {
            close(descriptor)
            throw .inUse(path: device, processID: owner)
        }
        let text =
            Array(String(repeating: " ", count: max(0, 10 - String(getpid()).count)).utf8) + Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
    }

    /// Removes the file while the lock still holds, so that no other program's file can be removed.
    func release() {
        unlink(path)
        close(descriptor)
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let owner = Int32(String(decoding: bytes.prefix(count), as: UTF8.self).trimmed), owner > 0
        else { return nil }
        return owner
    }
}
