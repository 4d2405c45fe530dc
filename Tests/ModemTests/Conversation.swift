import Testing

@testable import Modem

/// A talk with the machine alone: each line says which command it asks next and what the modem answers.
struct Conversation {
    var modem: GSMModem
    var now = Uptime(milliseconds: 0)

    /// Everything but commands and health, in order.
    var decided: [GSMModem.Action] = []
    private var command: ATCommand?

    /// How often a text entry was left.
    var escapes = 0

    static let number = PhoneNumber(kind: .international, digits: "9779812345678")

    init(
        pin: String? = nil, pinMemory: GSMModem.PINMemory = .untried, serviceCentre: PhoneNumber? = nil,
        takesMessages: Bool = true, _ change: (inout GSMModem.Settings) -> Void = { _ in }
    ) {
        var settings = GSMModem.Settings()
        settings.pin = pin
        settings.serviceCentre = serviceCentre
        settings.takesMessages = takesMessages
        change(&settings)
        modem = GSMModem(settings: settings, pinMemory: pinMemory)
        take(modem.handle(.started, at: now))
        take(modem.handle(.portOpened, at: now))
    }

    mutating func take(_ actions: [GSMModem.Action]) {
        for action in actions {
            switch action {
            case .command(.escape(quiet: GSMModem.Timing().quiet)):
                escapes += 1
                take(modem.handle(.answered(ATResponse(.ok)), at: now))
            case .command(let command): self.command = command
            case .health: break
            case .storePINMemory:
                decided.append(action)
                take(modem.handle(.pinMemoryStored(true), at: now))
            default: decided.append(action)
            }
        }
    }

    /// Lets time run to the next deadline, at most `limit` of them, until a command is asked.
    mutating func waitForCommand() -> String? {
        for _ in 0..<5 where command == nil {
            guard let deadline = modem.deadline else { return nil }
            now = max(now, deadline)
            take(modem.handle(.clockTicked, at: now))
        }
        return command?.text
    }

    /// The machine asks `expected` next, and gets `lines` and `result`.
    mutating func asks(
        _ expected: String, gets lines: ATLine..., result: ATResult = .ok,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = waitForCommand()
        #expect(text == expected, sourceLocation: sourceLocation)
        guard text == expected else { return }
        command = nil
        take(modem.handle(.answered(ATResponse(result, lines)), at: now))
    }

    /// Whatever is asked gets these.
    mutating func answers(_ lines: [ATLine]) {
        command = nil
        take(modem.handle(.answered(ATResponse(.ok, lines)), at: now))
    }

    /// What was asked is answered by the test itself.
    mutating func forgetCommand() { command = nil }

    mutating func receives(_ line: ATLine) { take(modem.handle(.unsolicited(line), at: now)) }

    mutating func send(_ text: String = "hi", id: UInt64 = 1) {
        take(modem.handle(.send(.init(id: id, number: Self.number, text: text)), at: now))
    }

    /// The modem says nothing to three questions in a row.
    mutating func staysSilent(sourceLocation: SourceLocation = #_sourceLocation) {
        for question in ["AT", "ATQ0V1", "AT"] {
            asks(question, result: .noAnswer(payloadHandedOver: false), sourceLocation: sourceLocation)
        }
    }

    /// From the first AT to ready, everything well.
    mutating func bringUp(lists: Bool = true) {
        comeUpToSIM()
        comeUpFromSIM(lists: lists)
    }

    /// From the first AT to the question for the SIM.
    mutating func comeUpToSIM() {
        asks("AT")
        asks("ATE0")
        asks("AT+CMEE=1")
        asks("AT+CFUN?", gets: ATLine("+CFUN: 1"))
    }

    /// From the first AT to text mode, which a modem takes that has no PDU mode.
    mutating func comeUpToTextMode() {
        comeUpToSIM()
        asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0"] { asks(step) }
        asks("AT+CMGF=0", result: .error)
        asks("AT+CMGF=1")
    }

    mutating func comeUpFromSIM(lists: Bool = true) {
        asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        asks("AT+CSQ", gets: ATLine("+CSQ: 20,99"))
        asks("AT+COPS?", gets: ATLine("+COPS: 0,0,\"NTC\",2"))
        asks("AT+CSMS=0", gets: ATLine("+CSMS: 1,1,1"))
        asks("AT+CMGF=0")
        asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        asks("AT+CNMI=2,1,0,1,0")
        if lists { asks("AT+CMGL=4") }
        #expect(modem.health.stage == .ready)
    }
}
