import Glibc

/// Asks whatever is at a port whether it takes commands: an escape, then `AT`, twice at most. Nothing is reset or set.
package struct PortProbe: Sendable {
    /// How long an answer to one `AT` may take. A modem that is awake answers at once.
    package var patience = Duration.seconds(1)
    package var quiet = Duration.milliseconds(200)

    package init() {}

    /// How often `mayGoOn` is asked.
    private static let slice = Duration.milliseconds(50)
    private static let questions = 2

    /// Whether a modem answers at `port`, whatever it says. Takes three seconds at most, with the usual waits.
    ///
    /// - Throws: when the port goes away or takes no bytes.
    package func answers(
        _ port: SerialPort, while mayGoOn: () -> Bool = { true }
    ) throws(SerialPortError) -> Bool {
        var channel = ATChannel()
        for _ in 0..<Self.questions {
            guard try run(.escape(quiet: quiet), on: port, &channel, mayGoOn) != nil else { return false }
            var question = ATCommand("AT", timeout: patience)
            question.understandsNumbers = true
            switch try run(question, on: port, &channel, mayGoOn)?.result {
            case nil: return false
            case .noAnswer: continue
            default: return true
            }
        }
        return false
    }

    /// - Returns: nil when it was called off.
    private func run(
        _ command: ATCommand, on port: SerialPort, _ channel: inout ATChannel, _ mayGoOn: () -> Bool
    ) throws(SerialPortError) -> ATResponse? {
        var actions = channel.handle(.start(command), at: .now())
        while mayGoOn() {
            for action in actions {
                switch action {
                case .write(let bytes): try port.write(bytes, timeout: patience)
                case .finished(let response): return response
                case .unsolicited, .strayPrompt: break
                }
            }
            let wait = min(Self.slice, (channel.deadline ?? .now()) - .now())
            port.wait(atMost: max(.zero, wait) + .milliseconds(1))
            let bytes = try port.read()
            actions = bytes.isEmpty ? [] : channel.handle(.received(bytes), at: .now())
            actions += channel.handle(.clockTicked, at: .now())
        }
        return nil
    }
}
