import Foundation
import Glibc

/// A serial port in raw mode: 8 data bits, no parity, one stop bit. Used by one thread.
///
/// A path under `/dev/serial/by-id` stays the same when the modem is plugged in anew and gets another number; it is resolved at
/// every opening.
package final class SerialPort {
    package struct Settings: Hashable, Sendable {
        package var speed = 115_200
        package var usesHardwareFlowControl = false
        package var lockDirectory = "/run/lock"

        package init() {}
    }

    /// What waits for ``read()``: readable bytes or the end of the port.
    let descriptor: Int32
    private let lock: PortLock

    package init(path: String, settings: Settings = Settings()) throws(SerialPortError) {
        guard let speed = Self.speeds[settings.speed] else { throw .unsupportedSpeed(settings.speed) }
        guard let resolved = realpath(path, nil) else { throw Self.openingError(path, errno) }
        let device = String(cString: resolved)
        free(resolved)
        lock = try PortLock(device: device, directory: settings.lockDirectory)
        // Without O_NONBLOCK opening would wait for a carrier.
        descriptor = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor != -1 else {
            let error = Self.openingError(path, errno)
            lock.release()
            throw error
        }
        // Guards it too where no lock file can be made.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close()
            throw .inUse(path: path, processID: nil)
        }
        do throws(SerialPortError) {
            try configure(speed, path: path, usesHardwareFlowControl: settings.usesHardwareFlowControl)
        } catch {
            close()
            throw error
        }
    }

    package func close() {
        Glibc.close(descriptor)
        lock.release()
    }

    /// Closes a port whose other side takes nothing. Drivers wait for bytes that are still to go out, half a minute at worst.
    package func discard() {
        tcflush(descriptor, TCIOFLUSH)
        close()
    }

    private func configure(
        _ speed: speed_t, path: String, usesHardwareFlowControl: Bool
    ) throws(SerialPortError) {
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else { throw .notATerminal(path: path) }
        _ = ioctl(descriptor, UInt(TIOCEXCL))
        cfmakeraw(&attributes)
        attributes.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
        attributes.c_cflag &= ~tcflag_t(CSTOPB | PARENB)
        let flowControl = tcflag_t(truncatingIfNeeded: CRTSCTS)
        if usesHardwareFlowControl { attributes.c_cflag |= flowControl } else { attributes.c_cflag &= ~flowControl }
        cfsetspeed(&attributes, speed)
        guard tcsetattr(descriptor, TCSANOW, &attributes) == 0 else { throw .failed(call: "tcsetattr", code: errno) }
        tcflush(descriptor, TCIOFLUSH)
    }

    /// Waits until something has arrived or the port is gone, so long at most: ``read()`` says which.
    package func wait(atMost span: Duration) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, Int32(clamping: max(0, span.wholeMilliseconds)))
    }

    /// What has arrived, at most 4 kB; empty when nothing has.
    package func read() throws(SerialPortError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 { return Array(bytes.prefix(count)) }
            if count == 0 { throw .hungUp }
            switch errno {
            case EINTR: continue
            case EAGAIN: return []
            case EIO, ENXIO, ENODEV: throw .hungUp
            default: throw .failed(call: "read", code: errno)
            }
        }
    }

    /// Writes all bytes, or throws when the modem doesn't take them within `timeout`.
    package func write(_ bytes: [UInt8], timeout: Duration) throws(SerialPortError) {
        let deadline = Uptime.now() + timeout
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                let left = (deadline - Uptime.now()).wholeMilliseconds
                guard left > 0 else { throw .writeTimedOut }
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, Int32(clamping: left))
                if waiting.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { throw .hungUp }
            case EIO, ENXIO, ENODEV: throw .hungUp
            default: throw .failed(call: "write", code: errno)
            }
        }
    }

    private static func openingError(_ path: String, _ code: Int32) -> SerialPortError {
        switch code {
        case ENOENT, ENODEV, ENXIO, ENOTDIR: .missing(path: path)
        case EACCES, EPERM: .notPermitted(path: path)
        case EBUSY: .inUse(path: path, processID: nil)
        default: .failed(call: "open \(path)", code: code)
        }
    }

    /// Whether a port can have this speed, in baud.
    package static func canRun(at speed: Int) -> Bool { speeds[speed] != nil }

    private static let speeds: [Int: speed_t] = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600), 19_200: speed_t(B19200),
        38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400),
        460_800: speed_t(B460800), 921_600: speed_t(B921600),
    ]
}

extension Uptime {
    /// The clock that shells pass into the machines.
    package static func now() -> Uptime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Uptime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
