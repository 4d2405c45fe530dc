import Foundation
import Modem
import Synchronization

/// A modem in the hands of a command, while no appliance runs.
package final class ModemSession: Sendable {
    private final class Heard: Sendable {
        let trouble = Mutex<String?>(nil)
        let reports = Mutex<[DeliveryReport]>([])
    }

    private let heard = Heard()
    private let driver: ModemDriver

    private static let step = Duration.milliseconds(100)

    /// - Parameter onMessage: what to do with messages of others, which are then deleted; nil: they stay where they are.
    package init(
        _ modem: Configuration.Modem, dataFolder: String, onMessage: (@Sendable (InboundText) -> Void)? = nil
    ) throws {
        driver = try modem.makeDriver(dataFolder: dataFolder, takesMessages: onMessage != nil) { [heard] event in
            switch event {
            case .message(let message): onMessage?(message)
            case .portTrouble(let reason): heard.trouble.withLock { $0 = reason }
            case .report(let report): heard.reports.withLock { $0 = $0.suffix(15) + [report] }
            default: break
            }
        }
        driver.start()
    }

    package func stop() { driver.stop() }

    /// Why the port can't be used.
    package var trouble: String? { heard.trouble.withLock { $0 } }

    /// Waits until the modem is ready, or a person is needed, at most half a minute.
    package func becomeReady() async -> ModemHealth {
        await wait(seconds: 30) {
            let health = driver.health
            return health.stage == .ready || !health.alarms.isEmpty || (health.stage == .closed && trouble != nil)
        }
        return driver.health
    }

    package func send(to number: PhoneNumber, text: String) async -> SendResult {
        await driver.send(to: number, text: text).result
    }

    /// Waits for the network's word on a text with these references, at most half a minute.
    package func report(on references: [UInt8]) async -> DeliveryReport? {
        func found() -> DeliveryReport? {
            heard.reports.withLock { $0.last { references.contains($0.reference) && $0.verdict != .pending } }
        }
        await wait(seconds: 30) { found() != nil }
        return found()
    }

    private func wait(seconds: Int, until condition: () -> Bool) async {
        for _ in 0..<(seconds * 10) {
            if condition() { return }
            try? await Task.sleep(for: Self.step)
        }
    }
}
