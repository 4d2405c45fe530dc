import Enforcement
import Foundation
import MachineClock
import Modem

/// A technician's test: whether frames of the trigger arrive. The running appliance has the port and is asked; while none runs, this
/// process listens. What it hears is not acknowledged: the device keeps it for the appliance.
package struct TriggerTest {
    private let configuration: Configuration
    private let trigger: Configuration.Trigger

    package init(_ configuration: Configuration) throws {
        guard let trigger = configuration.trigger else {
            throw AdvisedError("No loop or radar is configured.", hint: "Set [trigger] device in the configuration.")
        }
        (self.configuration, self.trigger) = (configuration, trigger)
    }

    /// - Parameters:
    ///   - span: how long frames are waited for.
    ///   - tell: told of each frame.
    /// - Returns: whether frames arrive.
    package func run(for span: TimeSpan, tell: (String) -> Void) throws -> Bool {
        guard RunLock.isHeld(folder: configuration.dataFolder) else { return try listen(for: span, tell: tell) }
        tell("The appliance runs and has the port; this is what it reports.")
        let report = StatusBoard.read(folder: configuration.dataFolder)?.trigger
        tell(report?.text ?? "Nothing yet: its part has only begun.")
        return report?.state == .connected
    }

    /// - Parameter untilFirst: whether one frame is enough.
    func listen(for span: TimeSpan, untilFirst: Bool = false, tell: (String) -> Void) throws -> Bool {
        var settings = SerialPort.Settings()
        settings.speed = trigger.speed
        let port: SerialPort
        do throws(SerialPortError) {
            port = try SerialPort(path: trigger.device, settings: settings)
        } catch {
            throw AdvisedError("The port can't be used: \(error.description).", hint: "Correct [trigger] device.")
        }
        defer { port.discard() }
        tell("Listening at \(trigger.device), \(trigger.speed) baud, for \(Wording.span(span)).")
        try? port.write(TriggerFrame.ask.bytes, timeout: .seconds(1))
        var decoder = TriggerDecoder()
        var (frames, bytes) = (0, 0)
        let end = MachineClock.uptime + span
        while MachineClock.uptime < end, !(untilFirst && frames > 0) {
            port.wait(atMost: .milliseconds(100))
            let come = try port.read()
            bytes += come.count
            for finding in decoder.feed(come) {
                if case .frame(let frame) = finding, let text = frame.text {
                    frames += 1
                    tell(text)
                } else if finding != .frame(.ask) {
                    tell("a damaged frame")
                }
            }
        }
        if frames == 0 {
            tell(
                bytes == 0
                    ? "Nothing came: look at its power and its cable, and whether send and receive are crossed."
                    : "\(bytes) bytes came and no whole frame: look at the speed in baud, and at the cable's shield.")
        }
        return frames > 0
    }
}

extension TriggerFrame {
    /// What a device says, in words; nil for what the box says.
    fileprivate var text: String? {
        switch self {
        case .event(let name, let overflow, let age, let lane, let direction, let speed):
            "vehicle \(name.number), \(age) ms ago, lane \(lane)" + (direction.map { ", \($0.rawValue)" } ?? "")
                + (speed.map { ", \(Wording.decimal(Double($0) / 10)) km/h" } ?? ", no speed")
                + (overflow > 0 ? ", \(overflow) without room" : "")
        case .heartbeat(let name, let overflow):
            "there, last vehicle \(name.number)" + (overflow > 0 ? ", \(overflow) without room" : "")
        default: nil
        }
    }
}
