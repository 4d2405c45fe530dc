/// The state of the modem, for status pages.
package struct ModemHealth: Hashable, Sendable {
    package enum Stage: String, Hashable, Sendable {
        /// The port is closed: missing, or about to be opened.
        case closed

        /// Being initialised.
        case starting

        /// Waiting for the SIM or for a person (see the alarms).
        case waitingForSIM

        case searching
        case ready
    }

    package enum Registration: String, Hashable, Sendable {
        case unknown
        case home
        case roaming
        case searching
        case denied
        case none

        /// The `stat` of `+CREG` (3GPP TS 27.007, 7.2). 6 and 7 are registered for SMS only.
        init(status: Int) {
            self =
                switch status {
                case 1, 6: .home
                case 5, 7: .roaming
                case 2: .searching
                case 3: .denied
                case 0: .none
                default: .unknown
                }
        }

        package var isRegistered: Bool { self == .home || self == .roaming }
    }

    package enum SIM: String, Hashable, Sendable {
        case unknown
        case ready
        case missing
        case busy
        case failed
        case wantsPIN
        case wantsPUK
        case locked
    }

    package var stage = Stage.closed
    package var sim = SIM.unknown
    package var registration = Registration.unknown
    package var operatorName: String?

    /// Signal strength in dBm, −113 to −51; nil when unknown.
    package var signalDBm: Int?

    package var serviceCentre: String?
    package var usesTextMode = false
    package var alarms: Set<ModemAlarm> = []

    /// Messages from others that were deleted.
    package var messageCount = 0

    package init() {}
}
