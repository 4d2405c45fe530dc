import Foundation
import Modem

/// Asks whatever is at a serial port whether it is a modem.
package enum ModemTest {
    /// - Parameter device: the port's path, or `auto`.
    /// - Returns: nil when a modem answered, else what went wrong. Nothing is sent and no PIN is entered.
    package static func problem(device: String) -> String? {
        let paths = PortSource(setting: device).paths()
        guard !paths.isEmpty else { return "There is no serial port at \(device)." }
        var trouble: String?
        for path in paths {
            do {
                let port = try SerialPort(path: path)
                defer { port.discard() }
                if try PortProbe().answers(port) { return nil }
            } catch {
                trouble = trouble ?? error.description
            }
        }
        return trouble
            ?? "Nothing at \(paths.joined(separator: ", ")) answered like a modem. Check its power, and whether this is its port "
            + "for commands."
    }
}
