import Foundation
import Glibc

/// Keeps a serial port to one program: `LCK..ttyUSB0` in the lock directory, as dial-up programs have done for decades.
///
/// Root may open a port that another program holds exclusively, so that the device alone can't guard itself. The file holds
/// the process id in ten columns; an advisory lock on it ends with the process, however that ends.
///
/// Where the file can't be made (some systems let only root write to `/run/lock`, or have no such directory), the port is used
/// without it: an advisory lock on the device itself keeps a second Checkpost away, and another program's file is still respected.
final class PortLock {
    /// nil without a file.
    private let descriptor: Int32?
    let path: String

    /// - Throws: ``SerialPortError/inUse(path:processID:)`` when a living process holds the port.
    init(device: String, directory: String) throws(SerialPortError) {
        let name = device.split(separator: "/").dropFirst(device.hasPrefix("/dev/") ? 1 : 0).joined(separator: "_")
        path = "\(directory)/LCK..\(name)"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard opened != -1 else {
            descriptor = nil
            let readable = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            // Of a file that isn't there nothing is read, and nothing is closed.
            defer { close(readable) }
            if let owner = Self.owner(readable), Self.isAlive(owner) {
                throw .inUse(path: device, processID: owner)
            }
            return
        }
        descriptor = opened
        let owner = Self.owner(opened)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw .inUse(path: device, processID: owner)
        }
        if let owner, owner != getpid(), Self.isAlive(owner) {
            close(opened)
            throw .inUse(path: device, processID: owner)
        }
        let text =
            Array(String(repeating: " ", count: max(0, 10 - String(getpid()).count)).utf8) + Array("\(getpid())\n".utf8)
        ftruncate(opened, 0)
        pwrite(opened, text, text.count, 0)
    }

    /// Removes the file while the lock still holds, so that no other program's file can be removed.
    func release() {
        guard let descriptor else { return }
        unlink(path)
        close(descriptor)
    }

    private static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let owner = Int32(String(decoding: bytes.prefix(count), as: UTF8.self).trimmed), owner > 0
        else { return nil }
        return owner
    }
}
