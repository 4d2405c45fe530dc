/// What a person has to know about the modem. Each stands until it is cleared.
package enum ModemAlarm: String, Hashable, Sendable, CaseIterable {
    case portMissing
    case portUnusable
    case noPortAnswers
    case restarting
    case unresponsive
    case unsuitable
    case noSIM
    case simFailure
    case pinNeeded
    case pinRejected
    case pinUncertain
    case pinMemoryFailed
    case pukNeeded
    case phoneLocked
    case notRegistered
    case registrationDenied
    case roaming
    case noServiceCentre
}

extension ModemAlarm: CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .portMissing: "The modem's port is not there. Check the cable and the port in the configuration."
        case .portUnusable:
            "The modem's port is there and can't be opened. `checkpost sms status` says why, and what to do."
        case .noPortAnswers:
            "None of the serial ports answers like a modem. Take its power away for ten seconds, or configure its port."
        case .restarting:
            "The modem restarts again and again. Its supply may be too weak: a modem takes two amperes while it sends."
        case .unresponsive: "The modem doesn't answer, though it was reset. Take its power away for ten seconds."
        case .unsuitable: "The modem can't send SMS in PDU mode nor in text mode. Use another modem."
        case .noSIM: "There is no SIM in the modem. Insert one."
        case .simFailure: "The modem can't read its SIM. Take it out, clean it and insert it again."
        case .pinNeeded: "The SIM wants a PIN and none is configured. Set it, or turn the PIN off in a phone."
        case .pinRejected: "The SIM rejected the configured PIN. It won't be tried again: set the right one."
        case .pinUncertain:
            "The PIN was tried once and the answer was lost. It won't be tried again: check it in a phone, then set it anew."
        case .pinMemoryFailed:
            "The attempt to enter the PIN could not be written down, so the PIN was not entered. Check the disk."
        case .pukNeeded: "The SIM is locked and wants its PUK. Unlock it in a phone."
        case .phoneLocked: "The modem is locked to another SIM or operator. Unlock it or use another modem."
        case .notRegistered: "The modem finds no network. Check the antenna."
        case .registrationDenied: "The network refuses the SIM. Check that it is active and paid for."
        case .roaming:
            "Only another operator's network is in reach, and roaming is not allowed. Check the antenna, or set [modem] roaming = true."
        case .noServiceCentre: "The SIM has no number of a service centre. Set it in the configuration."
        }
    }
}
