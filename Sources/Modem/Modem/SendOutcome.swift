/// What became of a text that was given to the modem.
package enum SendOutcome: Hashable, Sendable {
    /// The network took every part. The references identify the status reports; modems that give none leave them empty.
    case accepted(references: [UInt8])

    /// Nothing went out; worth another try later.
    case refused(SendFailure)

    /// Nothing went out, and nothing will until a person acts.
    case stopped(SendFailure)

    /// The text itself can't be sent.
    case unsendable(PDUError)

    /// The modem had the text and went silent: it may have gone out.
    case ambiguous
}

package enum SendFailure: Hashable, Sendable {
    /// The modem is not ready: starting, searching, without a SIM, or still at another text.
    case notReady

    /// The modem gave no prompt or no answer before it had the text.
    case noAnswer

    /// The modem said no more than ERROR.
    case error
    case equipment(Int?)
    case network(Int?)

    /// The modem has no PDU mode, and this text can't be sent in text mode.
    case needsPDUMode

    /// The driver was stopped.
    case driverStopped
}

extension SendFailure {
    /// Whether a person has to act before another try makes sense.
    ///
    /// `+CMS ERROR` codes are those of 3GPP TS 24.011, annex E-2 (1…127), TS 23.040, 9.2.3.22 (128…255) and TS 27.005, 3.2.5
    /// (300 and up). What is not known to be permanent counts as passing.
    var isPermanent: Bool {
        switch self {
        case .network(let code?): Self.permanentCodes.contains(code)
        case .needsPDUMode: true
        default: false
        }
    }

    /// Unassigned number, barred, rejected, unknown or unidentified subscriber, facility rejected or not subscribed, not
    /// implemented, wrong PDU or parameter, no service centre.
    private static let permanentCodes: Set<Int> = [1, 8, 10, 21, 27, 28, 29, 30, 50, 69, 302, 303, 304, 305, 330]

    /// Whether the SIM has to be looked at before anything else: missing, locked, failed, busy.
    var concernsSIM: Bool {
        switch self {
        case .network(let code?): (310...318).contains(code)
        case .equipment(let code?): (10...18).contains(code)
        default: false
        }
    }
}

extension SendFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notReady: "the modem is not ready"
        case .noAnswer: "the modem did not answer"
        case .error: "the modem said ERROR"
        case .equipment(let code): "the modem reports error \(code.map(String.init) ?? "of an unknown kind")"
        case .network(let code): Self.networkText(code)
        case .needsPDUMode: "the modem has no PDU mode and the text has characters that need it; use another modem"
        case .driverStopped: "the program is stopping"
        }
    }

    private static func networkText(_ code: Int?) -> String {
        guard let code else { return "the network refused the message" }
        let reason =
            switch code {
            case 1: "the number is not assigned; check the gateway's number"
            case 8, 10: "sending is barred for this SIM; ask the operator"
            case 21, 29: "the network rejects messages of this SIM; check its credit and ask the operator"
            case 27: "the destination is out of service; check the gateway's number"
            case 28, 30: "the network doesn't know this subscriber; check the SIM and the gateway's number"
            case 38, 41, 42, 47, 331, 332: "the network is busy or out of reach"
            case 50, 69: "this SIM has no SMS service; ask the operator"
            case 302...305: "the modem doesn't take the message as it is written"
            case 330: "the number of the service centre is wrong; set it"
            default: "the message was refused"
            }
        return "\(reason) (+CMS ERROR \(code))"
    }
}
