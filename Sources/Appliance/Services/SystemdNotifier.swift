import Foundation

/// Tells systemd how the service is: one datagram to the socket that `NOTIFY_SOCKET` names (sd_notify(3)).
///
/// Without systemd it does nothing.
struct SystemdNotifier: Sendable {
    private let address: String?

    /// How often systemd wants to hear that all is well; nil when it doesn't ask. Half of its limit.
    let watchdogInterval: Duration?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        address = environment["NOTIFY_SOCKET"]
        watchdogInterval = environment["WATCHDOG_USEC"].flatMap(Int.init).map { .microseconds($0 / 2) }
    }

    func ready() { send("READY=1") }
    func stopping() { send("STOPPING=1") }
    func alive() { send("WATCHDOG=1") }
    func status(_ text: String) { send("STATUS=\(text)") }

    private func send(_ message: String) {
        guard let name = address.flatMap(UnixAddress.init) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        _ = name.use { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
    }
}
