/// What became of a text that was given to the modem.
package enum SendResult: Hashable, Sendable {
    /// The network took every part. The references identify the status reports; modems that give none leave them empty.
    case accepted(references: [UInt8])

    /// Nothing went out. When another try makes sense is not the modem's to say.
    case refused(SendFailure)

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

    /// `+CME ERROR` (3GPP TS 27.007, 9.2).
    case equipment(Int?)

    /// `+CMS ERROR`: codes of 3GPP TS 24.011, annex E-2 (1…127), TS 23.040, 9.2.3.22 (128…255) and TS 27.005, 3.2.5 (300 and up).
    case network(Int?)

    /// The modem has no PDU mode, and this text can't be sent in text mode.
    case needsPDUMode

    /// The driver was stopped.
    case driverStopped
}

extension SendFailure {
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
        case .network(let code?): "the message was refused (+CMS ERROR \(code))"
        case .network(nil): "the message was refused"
        case .needsPDUMode: "the modem has no PDU mode and the text has characters that need it; use another modem"
        case .driverStopped: "the program is stopping"
        }
    }
}
