extension GSMModem {
    /// Something to do with the modem: one command and its answer.
    enum Step: Hashable, Sendable {
        /// A box that stopped between `AT+CMGS` and the prompt, or missed the prompt, left the modem waiting for a text: every
        /// command would become a part of it.
        case leaveTextEntry

        case attention(attempt: Int)

        /// For modems that give numbers for result codes.
        case verboseResults
        case echoOff
        case numericErrors
        case function
        case switchOn
        case simState
        case pinAttemptsLeft
        case storePINMemory(PINMemory)
        case enterPIN
        case registration
        case packetRegistration
        case signal
        case operatorName
        case messageService
        case pduMode
        case textMode
        case characterSet(TextCoding)
        case serviceCentre(afterParameters: Bool)
        case textParameters(wantsReport: Bool)
        case setServiceCentre(PhoneNumber)
        case notifications(variant: Int)
        case list
        case selectStore(String)
        case fetch(Int)
        case delete(Int)
        case submit(part: Int)
        case balance
        case restartRadio
    }

    /// How text mode takes a text. The plain GSM alphabet is left out: its escape would end the entry of a pipe.
    enum TextCoding: String, Hashable, Sendable {
        case ascii = "IRA"
        case ucs2 = "UCS2"
    }

    /// From power-on to ready. The SIM comes first: many modems refuse the rest before the PIN.
    static let initialisation: [Step] = [
        .leaveTextEntry, .attention(attempt: 1), .echoOff, .numericErrors, .function, .simState, .registration, .signal,
        .operatorName,
        .messageService, .pduMode, .serviceCentre(afterParameters: false), .notifications(variant: 0), .list,
    ]

    /// Proves that the modem listens to commands, and that no text entry is open.
    static let proof: [Step] = [.leaveTextEntry, .attention(attempt: 1)]

    /// Deliveries of messages are stored, status reports come at once (`+CDS`), or are stored (`+CDSI`), or are not told of.
    static let notificationVariants = ["2,1,0,1,0", "2,1,0,2,0", "1,1,0,1,0", "2,1,0,0,0", "1,1,0,0,0"]

    /// nil when there is nothing to ask, since the text that it was for is gone.
    func command(for step: Step) -> ATCommand? {
        let timing = settings.timing
        func plain(_ text: String, prefix: String? = nil) -> ATCommand {
            ATCommand(text, timeout: timing.answer, answerPrefix: prefix)
        }
        func slow(_ text: String, prefix: String? = nil) -> ATCommand {
            ATCommand(text, timeout: timing.slowAnswer, answerPrefix: prefix)
        }
        switch step {
        case .leaveTextEntry: return .escape(quiet: timing.quiet)
        case .attention(let attempt):
            // The second question is for a modem that was told to give no result codes.
            var command = plain(attempt == 2 ? "ATQ0V1" : "AT")
            command.understandsNumbers = true
            return command
        case .verboseResults:
            var command = plain("ATV1")
            command.understandsNumbers = true
            return command
        case .echoOff: return plain("ATE0")
        case .numericErrors: return plain("AT+CMEE=1")
        case .function: return plain("AT+CFUN?", prefix: "+CFUN:")
        case .switchOn: return slow("AT+CFUN=1")
        case .simState:
            var command = plain("AT+CPIN?", prefix: "+CPIN:")
            command.graceWithoutOK = timing.grace
            return command
        case .pinAttemptsLeft: return plain("AT+CPINR=\"SIM PIN\"", prefix: "+CPINR:")
        case .storePINMemory: return nil
        case .enterPIN:
            var command = slow("AT+CPIN=\"\(settings.pin ?? "")\"")
            command.isSecret = true
            return command
        case .registration: return plain("AT+CREG?", prefix: "+CREG:")
        case .packetRegistration: return plain("AT+CEREG?", prefix: "+CEREG:")
        case .signal: return plain("AT+CSQ", prefix: "+CSQ:")
        case .operatorName: return slow("AT+COPS?", prefix: "+COPS:")
        case .messageService: return plain("AT+CSMS=0", prefix: "+CSMS:")
        case .pduMode: return plain("AT+CMGF=0")
        case .textMode: return plain("AT+CMGF=1")
        case .characterSet(let coding): return plain("AT+CSCS=\"\(coding.rawValue)\"")
        case .serviceCentre: return plain("AT+CSCA?", prefix: "+CSCA:")
        case .textParameters(let wantsReport):
            // SUBMIT with a relative validity period, and a status report or none; 7-bit.
            return plain("AT+CSMP=\(wantsReport ? 49 : 17),\(settings.validity?.octet ?? 167),0,0")
        case .setServiceCentre(let number):
            let isUCS2 = health.usesTextMode && textCoding == .ucs2
            let text = isUCS2 ? Self.ucs2(number.description) : number.description
            return plain("AT+CSCA=\"\(text)\",\(number.kind == .international ? 145 : 129)")
        case .notifications(let variant): return plain("AT+CNMI=\(Self.notificationVariants[variant])")
        case .list where !settings.takesMessages: return nil
        case .list where health.usesTextMode:
            // A stored text could look like an answer, so that nothing is read in text mode.
            return slow("AT+CMGD=1,4")
        case .list:
            var command = slow("AT+CMGL=4", prefix: "+CMGL:")
            command.answersHaveData = true
            return command
        case .selectStore(let store): return plain("AT+CPMS=\"\(store)\"", prefix: "+CPMS:")
        case .fetch(let index):
            var command = plain("AT+CMGR=\(index)", prefix: "+CMGR:")
            command.answersHaveData = true
            return command
        case .delete(let index): return plain("AT+CMGD=\(index)")
        case .submit(let part): return submitCommand(part: part)
        case .balance: return settings.balanceCode.map { slow("AT+CUSD=1,\"\($0)\",15") }
        case .restartRadio: return slow("AT+CFUN=1,1")
        }
    }
}
