/// One command for a modem and how to tell its answer.
package struct ATCommand: Hashable, Sendable {
    /// The line without its end, `AT+CSQ`.
    package var text: String

    /// How long the final result may take; for a command with a payload, how long the prompt may take.
    package var timeout: Duration

    /// How the lines of the answer begin (`+CSQ:`). All others are unsolicited; nil: no line belongs to the answer.
    package var answerPrefix: String?

    /// Whether each line of the answer is followed by one with data (`+CMGL`).
    package var answersHaveData = false

    /// Some modems leave out the final OK: the answer counts as complete this long after its first line.
    package var graceWithoutOK: Duration?

    /// What is sent after the prompt, ended with Ctrl-Z.
    package var payload: [UInt8]?

    /// How long the final result may take after the payload.
    package var payloadTimeout: Duration = .seconds(120)

    /// Whether a modem that gives numbers for result codes (`ATV0`) is understood: `0` is OK, `4` is ERROR.
    package var understandsNumbers = false

    /// Whether logs must not show it.
    package var isSecret = false

    /// No command but an escape, which ends a text entry that was left open and does nothing outside of one.
    var isEscape = false

    package init(_ text: String, timeout: Duration, answerPrefix: String? = nil) {
        self.text = text
        self.timeout = timeout
        self.answerPrefix = answerPrefix
    }

    /// Leaves a text entry. A modem may say OK to it, or nothing: it is over after a final result, or after `quiet`.
    ///
    /// Never Ctrl-Z, which would send whatever stands in the entry.
    package static func escape(quiet: Duration) -> ATCommand {
        var command = ATCommand("ESC", timeout: quiet)
        command.isEscape = true
        return command
    }

    /// What a log may show.
    package var loggedText: String {
        isSecret ? (text.split(separator: "=").first.map { $0 + "=…" } ?? "…") : text
    }
}

/// A line from a modem, and the line of data that belongs to it, if any.
package struct ATLine: Hashable, Sendable {
    package var text: String
    package var data: String?

    package init(_ text: String, data: String? = nil) {
        self.text = text
        self.data = data
    }

    /// What follows the colon, split at commas outside quotes, without quotes: `+CSCA: "+977",145` gives `+977` and `145`.
    package var values: [String] {
        guard let colon = text.firstIndex(of: ":") else { return [] }
        var values = [""]
        var isQuoted = false
        for character in text[text.index(after: colon)...] {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                values.append("")
            } else {
                values[values.count - 1].append(character)
            }
        }
        return values.map { $0.trimmed }
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

/// How a command ended.
package enum ATResult: Hashable, Sendable {
    case ok

    /// `ERROR`, `COMMAND NOT SUPPORT` and their relatives.
    case error

    /// `+CME ERROR` (3GPP TS 27.007, 9.2); nil when the modem gave an unknown text for the number.
    case equipmentError(Int?)

    /// `+CMS ERROR` (3GPP TS 27.005, 3.2.5).
    case messageError(Int?)

    /// The modem said OK where it should have asked for the payload. Nothing was handed over.
    case noPrompt

    /// No final result came: in time, or before the port closed.
    case noAnswer(payloadHandedOver: Bool)

    /// The modem started anew in the middle: no final result will come.
    case restarted(payloadHandedOver: Bool)
}

package struct ATResponse: Hashable, Sendable {
    package var result: ATResult
    package var lines: [ATLine]

    /// Whether the modem gave its result code as a number.
    package var isNumeric = false

    package init(_ result: ATResult, _ lines: [ATLine] = []) {
        self.result = result
        self.lines = lines
    }
}

extension ATResult {
    /// Reads a final result; nil when the line is none.
    init?(line: String) {
        switch line {
        case "OK": self = .ok
        case "ERROR", "COMMAND NOT SUPPORT", "COMMAND NOT SUPPORTED", "NOT SUPPORT", "NOT SUPPORTED",
            "TOO MANY PARAMETERS", "INVALID COMMAND", "ABORTED":
            self = .error
        default:
            if let rest = line.after("+CME ERROR:") {
                self = .equipmentError(Int(rest) ?? Self.equipmentCodes[rest.lowercased()])
            } else if let rest = line.after("+CMS ERROR:") {
                self = .messageError(Int(rest) ?? Self.messageCodes[rest.lowercased()])
            } else {
                return nil
            }
        }
    }

    /// Reads a result code of a modem that gives numbers (ITU-T V.250, 5.7.1).
    init?(number line: String) {
        switch line {
        case "0": self = .ok
        case "4": self = .error
        default: return nil
        }
    }

    /// What modems say when their power came, or is about to go.
    static let restartSigns: Set<String> = [
        "RDY", "APP RDY", "START", "STARTUP", "MODEM:STARTUP", "SYSSTART", "^SYSSTART", "NORMAL POWER DOWN",
        "POWERED DOWN", "UNDER-VOLTAGE POWER DOWN", "OVER-VOLTAGE POWER DOWN",
    ]

    /// The texts that some modems give though they were asked for numbers.
    private static let equipmentCodes = [
        "operation not allowed": 3, "operation not supported": 4, "sim not inserted": 10, "sim pin required": 11,
        "sim puk required": 12, "sim failure": 13, "sim busy": 14, "sim wrong": 15, "incorrect password": 16,
        "no network service": 30, "network timeout": 31,
    ]
    private static let messageCodes = [
        "unassigned (unallocated) number": 1, "operator determined barring": 8, "call barred": 10, "call barred 10": 10,
        "short message transfer rejected": 21, "destination out of service": 27, "unidentified subscriber": 28,
        "facility rejected": 29, "unknown subscriber": 30, "network out of order": 38, "temporary failure": 41,
        "congestion": 42, "resources unavailable, unspecified": 47, "sim not inserted": 310, "sim pin required": 311,
        "sim failure": 313, "sim busy": 314, "sim puk required": 316,
        "memory full": 322, "smsc address unknown": 330, "no network service": 331, "network timeout": 332,
        "unknown error": 500,
    ]
}

extension String {
    /// What follows `prefix`, trimmed; nil when the text doesn't start so.
    func after(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)).trimmed : nil
    }
}
