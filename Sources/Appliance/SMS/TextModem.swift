import Modem

/// A modem as the fallback sees it: texts go in, results come out. What it says to the modem is its own affair.
protocol TextModem: Sendable {
    var health: ModemHealth { get }
    func start()

    /// Ends it; blocks for a moment. A text that it already has ends as ambiguous.
    func stop()
    func send(to number: PhoneNumber, text: String) async -> ModemDriver.Sent
}

extension ModemDriver: TextModem {}

/// The network's word on a message; `StatusReport` is what the command `status` prints.
package typealias DeliveryReport = Modem.StatusReport
