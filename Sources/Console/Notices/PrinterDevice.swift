import Foundation

/// The device file of a printer: USB (`/dev/usb/lp0`) or serial. It is opened for each receipt, so that a printer may come and go.
struct PrinterDevice: Sendable {
    let path: String

    /// How long a printer may take nothing: out of paper, an open cover, a full buffer.
    var patience = Duration.seconds(20)

    /// How long one receipt may take in all.
    private static let longest = Duration.seconds(120)

    /// Nobody looks whether there is room more often than this.
    private static let pause = Duration.milliseconds(50)

    /// A printer that was left in the midst of a picture takes so many bytes for dots, as many as are in one command; as commands they
    /// mean nothing.
    private static let filler = [UInt8](repeating: 0, count: 10_000)

    enum Failure: Error, CustomStringConvertible {
        case closed(String)
        case stuck
        case broken(String)

        var description: String {
            switch self {
            case .closed(let reason): "it can't be opened: \(reason)"
            case .stuck: "it takes nothing"
            case .broken(let reason): "it was lost while it printed: \(reason)"
            }
        }
    }

    /// Sends bytes without holding a thread while the printer is busy.
    func send(_ receipt: [UInt8], afterFailure: Bool) async throws {
        // Never waits for a device that isn't ready, and never makes a file.
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_APPEND | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.closed("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        Self.makeRaw(descriptor)
        let bytes = (afterFailure ? Self.filler : []) + receipt
        let clock = ContinuousClock()
        let end = clock.now + Self.longest
        var moved = clock.now
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            let reason = errno
            if count > 0 {
                sent += count
                moved = clock.now
                continue
            }
            if count < 0, reason == EINTR { continue }
            guard count == 0 || reason == EAGAIN else { throw Failure.broken(String(cString: strerror(reason))) }
            guard clock.now < end, clock.now - moved < patience else { throw Failure.stuck }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// A serial line must change no byte: it would make two of each that looks like the end of a line.
    private static func makeRaw(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }
}
