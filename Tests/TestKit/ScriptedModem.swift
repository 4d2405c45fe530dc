import Foundation
import Glibc
import Synchronization

/// Plays a dialogue on a real pseudo-terminal. `path` is a link to it, as `/dev/serial/by-id` has one to a stick's port.
package final class ScriptedModem: Sendable {
    private struct Shared {
        package var received: [String] = []
        var mustStop = false
    }

    private let shared = Mutex(Shared())
    private let finished = DispatchSemaphore(value: 0)
    private let onReceive: @Sendable (String) -> Void
    package let directory: URL
    package let path: String

    /// - Parameter onReceive: called with each command and payload before the modem answers it, on the modem's thread.
    package init(_ dialogue: Dialogue, onReceive: @escaping @Sendable (String) -> Void = { _ in }) throws {
        self.onReceive = onReceive
        directory = FileManager.default.temporaryDirectory.appending(path: "modem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appending(path: "usb-modem-if00").path
        let player = ScriptedModemPlayer(dialogue: dialogue, path: path)
        let master = try player.plugIn()
        let thread = Thread { [self] in
            var player = player
            player.play(on: master, mustStop: { self.shared.withLock { $0.mustStop } }) { command in
                self.shared.withLock { $0.received.append(command) }
                self.onReceive(command)
            }
            finished.signal()
        }
        thread.start()
    }

    /// What came, in order: commands without their ends, payloads without Ctrl-Z.
    package var received: [String] { shared.withLock { $0.received } }

    package func stop() {
        shared.withLock { $0.mustStop = true }
        finished.wait()
        try? FileManager.default.removeItem(at: directory)
    }
}
