import Enforcement
import Modem

/// What takes texts, as the fallback sees it: a modem, or a box that keeps them. Texts go in, results come out.
protocol TextCarrier: Sendable {
    var health: ModemHealth { get }

    /// Why nothing can be sent whatever happens to the link; nil where that is the health's to say.
    var obstacle: String? { get }

    /// Why the last text went nowhere, where the health doesn't say it.
    var trouble: String? { get }

    /// What is said of it where a modem's words would send people to the wrong place.
    var words: TextWords { get }

    /// Where passages go; nil where nobody has said.
    func target(gateway: PhoneNumber?) -> TextTarget?

    /// What follows from a text that did not go out.
    func refusal(_ failure: SendFailure) -> SMSRefusal
    func start()

    /// Ends it; blocks for a moment. A text that it already has ends as ambiguous.
    func stop()
    func send(to target: TextTarget, text: String) async -> ModemDriver.Sent
}

/// As a modem does it.
extension TextCarrier {
    var obstacle: String? { nil }
    var trouble: String? { nil }
    var words: TextWords { .modem }
    func target(gateway: PhoneNumber?) -> TextTarget? { gateway.map { .number($0) } }
    func refusal(_ failure: SendFailure) -> SMSRefusal { SMSRefusal(failure) }
}

extension ModemDriver: TextCarrier {
    func send(to target: TextTarget, text: String) async -> Sent {
        guard case .number(let number) = target else { return Sent(id: 0, result: .refused(.notReady)) }
        return await send(to: number, text: text)
    }
}

/// Where a text goes.
enum TextTarget: Equatable, Sendable {
    case number(PhoneNumber)

    /// Whichever paired box keeps it for the server.
    case pairedBox

    /// As it stands with the message.
    var text: String {
        switch self {
        case .number(let number): number.description
        case .pairedBox: "paired box"
        }
    }

    init?(text: String) {
        if text == Self.pairedBox.text {
            self = .pairedBox
        } else if let number = PhoneNumber(text) {
            self = .number(number)
        } else {
            return nil
        }
    }
}

/// The network's word on a message; `StatusReport` is what the command `status` prints.
package typealias DeliveryReport = Modem.StatusReport
