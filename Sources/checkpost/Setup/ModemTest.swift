import Foundation
import Modem

/// Asks whatever is at a serial port whether it is a modem.
enum ModemTest {
    /// A modem answers within a second; one that wakes up takes a second question.
    private static let questions = 2
    private static let patience = Duration.seconds(2)

    /// - Parameter device: the port's path, or `auto`.
    /// - Returns: nil when a modem answered, else what went wrong. Nothing is sent and no PIN is entered.
    static func problem(device: String) -> String? {
        guard let path = PortSource(setting: device).path(attempt: 0) else {
            return "There is no serial port at \(device)."
        }
        do {
            let port = try SerialPort(path: path)
            defer { port.close() }
            for _ in 0..<questions {
                try port.write(Array("AT\r".utf8), timeout: patience)
                let deadline = ContinuousClock.now + patience
                var heard = ""
                while ContinuousClock.now < deadline {
                    heard += String(decoding: try port.read(), as: UTF8.self)
                    if heard.contains("OK") { return nil }
                    usleep(20_000)
                }
            }
            return
                "Nothing at \(path) answered like a modem. Check its power, and whether this is its port for commands."
        } catch {
            return error.description
        }
    }
}
