import Enforcement
import Modem
import ParkAPI

/// How SMS is, for `status`, the console and `sms status`.
package struct SMSReport: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// It isn't configured: see the reason.
        case off

        /// The modem can't send now: see the reason.
        case waiting

        /// The modem could send; there is no need to.
        case ready

        /// The server is out of reach for so long that passages go by SMS.
        case active

        /// Nothing has gone out for some time, though it is tried: see the reason.
        case refused
    }

    package struct Modem: Codable, Equatable, Sendable {
        package var device: String
        package var stage: String
        var sim: String
        var registration: String
        var operatorName: String?
        var signalDBm: Int?
        package var serviceCentre: String?
        package var isTextMode: Bool

        /// Why the port can't be used.
        package var trouble: String?
        package var alarms: [String]

        enum CodingKeys: String, CodingKey {
            case device, stage, sim, registration
            case operatorName = "operator"
            case signalDBm = "signal_dbm"
            case serviceCentre = "service_centre"
            case isTextMode = "text_mode"
            case trouble, alarms
        }

        package init(device: String, health: ModemHealth, trouble: String?) {
            self.device = device
            stage = health.stage.rawValue
            sim = health.sim.rawValue
            registration = health.registration.rawValue
            operatorName = health.operatorName
            signalDBm = health.signalDBm
            serviceCentre = health.serviceCentre
            isTextMode = health.usesTextMode
            self.trouble = health.stage == .closed ? trouble : nil
            alarms = health.alarms.map(\.description).sorted()
        }

        private var simInWords: String {
            switch sim {
            case "wantsPIN": "asks for its PIN"
            case "wantsPUK": "is locked and asks for its PUK"
            default: sim
            }
        }

        /// `Namaste / NTC, home, −79 dBm, SIM ready`.
        package var text: String {
            var parts = [operatorName, registration == "unknown" ? nil : registration]
            parts += [signalDBm.map { "\($0) dBm" }, "SIM \(simInWords)"]
            return parts.compactMap(\.self).joined(separator: ", ")
        }
    }

    package var state: State
    package var reason: String?
    package var modem: Modem?

    /// Which version of texts goes out: `V1`, or `V2`, which is signed; nil where none does.
    package var version: String?

    package init(state: State, reason: String? = nil, modem: Modem? = nil, version: String? = nil) {
        self.state = state
        self.reason = reason
        self.modem = modem
        self.version = version
    }

    /// What a configuration without a number or a modem means.
    package static func off(_ configuration: Configuration) -> SMSReport? {
        if configuration.textsGoToPairedBox {
            return SMSReport(
                state: .off,
                reason: "no modem is configured ([modem] device); a paired box takes texts while the appliance runs")
        }
        if configuration.modem == nil {
            return SMSReport(state: .off, reason: "no modem is configured ([modem] device)")
        }
        if configuration.sms.gatewayNumber == nil {
            return SMSReport(state: .off, reason: "no gateway number is configured ([sms] gateway_number)")
        }
        return nil
    }

    /// One line for people.
    package var text: String {
        let state =
            switch self.state {
            case .off: "off"
            case .waiting: "waiting"
            case .ready: "ready"
            case .active: "in use, since the server is out of reach"
            case .refused: "nothing gets through"
            }
        let form = version.map { $0 == SignedSMS.version ? ", signed texts (\($0))" : ", unsigned texts (\($0))" }
        return "SMS: \(state)" + (reason.map { ", \($0)" } ?? "") + (form ?? "") + (modem.map { " (\($0.text))" } ?? "")
    }
}
