import Testing

@testable import Modem

@Suite("A modem coming up", .timeLimit(.minutes(10)))
struct GSMModemInitialisationTests {
    @Test func `asks for SIM, network, service centre and reports, and is ready`() {
        var talk = Conversation()
        talk.bringUp()
        #expect(talk.modem.health.signalDBm == -73)
        #expect(talk.modem.health.operatorName == "NTC")
        #expect(talk.modem.health.registration == .home)
        #expect(talk.modem.health.serviceCentre == "+9779851000")
        #expect(talk.decided == [.openPort])
    }

    @Test func `switches the radio on where it is off`() {
        var talk = Conversation()
        talk.asks("AT")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.asks("AT+CFUN?", gets: ATLine("+CFUN: 4"))
        talk.asks("AT+CFUN=1")
        talk.comeUpFromSIM()
    }

    @Test func `does without what a modem refuses`() {
        var talk = Conversation()
        talk.asks("AT")
        talk.asks("ATE0", result: .equipmentError(11))
        talk.asks("AT+CMEE=1", result: .error)
        talk.asks("AT+CFUN?", result: .error)
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,5"))
        talk.asks("AT+CSQ", gets: ATLine("+CSQ: 99,99"))
        talk.asks("AT+COPS?", result: .error)
        talk.asks("AT+CSMS=0", result: .error)
        talk.asks("AT+CMGF=0")
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        for variant in ["2,1,0,1,0", "2,1,0,2,0", "1,1,0,1,0", "2,1,0,0,0", "1,1,0,0,0"] {
            talk.asks("AT+CNMI=\(variant)", result: .error)
        }
        talk.asks("AT+CMGL=4")
        #expect(talk.modem.health.stage == .ready)
        #expect(talk.modem.health.registration == .roaming)
        #expect(talk.modem.health.signalDBm == nil)
        // Without +CNMI it looks for stored messages at every watch.
        talk.asks("AT+CSQ", gets: ATLine("+CSQ: 20,99"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,5"))
        talk.asks("AT+CMGL=4")
    }

    @Test func `takes a registration on LTE for one`() {
        var talk = Conversation()
        talk.asks("AT")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.asks("AT+CFUN?")
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,2"))
        talk.asks("AT+CEREG?", gets: ATLine("+CEREG: 0,1"))
        talk.asks("AT+CSQ", gets: ATLine("+CSQ: 20,99"))
        #expect(talk.modem.health.registration == .home)
    }

    @Test func `searches with an alarm, then restarts the radio`() {
        var talk = Conversation()
        talk.asks("AT")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.asks("AT+CFUN?")
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        for _ in 0..<500 {
            guard talk.waitForCommand() == "AT+CREG?" else { break }
            talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,2"))
            talk.asks("AT+CEREG?", result: .error)
        }
        #expect(talk.decided == [.openPort, .alarm(.notRegistered)])
        #expect(talk.modem.health.stage == .searching)
        talk.asks("AT+CFUN=1,1")
        talk.bringUp()
        #expect(talk.decided.last == .clear(.notRegistered))
    }

    @Test func `says so when the network refuses the SIM`() {
        var talk = Conversation()
        talk.asks("AT")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.asks("AT+CFUN?")
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,3"))
        talk.asks("AT+CEREG?", gets: ATLine("+CEREG: 0,0"))
        #expect(talk.decided.last == .alarm(.registrationDenied))
    }

    @Test(arguments: [
        ("+CREG: 0,1", ModemHealth.Registration.home), ("+CREG: 2,5,\"00C3\",\"A1\",7", .roaming), ("+CREG: 1", .home),
        ("+CREG: 1,\"05\",\"A1\"", .home), ("+CREG: 0,3", .denied), ("+CREG: 0,0", .none), ("+CREG: 0,6", .home),
    ])
    func `reads a registration whether it was asked for or not`(line: String, expected: ModemHealth.Registration) {
        #expect(GSMModem.registration(in: [ATLine(line)]) == expected)
    }

    @Test func `sets the service centre that is configured, and alarms when there is none at all`() {
        var talk = Conversation(serviceCentre: PhoneNumber("+9779800000"))
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0", "AT+CMGF=0"] { talk.asks(step) }
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        talk.asks("AT+CSCA=\"+9779800000\",145")
        var without = Conversation()
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { without.asks(step) }
        without.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        without.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0", "AT+CMGF=0"] { without.asks(step) }
        without.asks("AT+CSCA?", gets: ATLine("+CSCA: \"\",129"))
        #expect(without.decided.last == .alarm(.noServiceCentre))
    }

    @Test func `uses text mode without PDU mode, and puts back the service centre that its parameters clear`() {
        var talk = Conversation()
        talk.comeUpToTextMode()
        talk.asks("AT+CSCS=\"IRA\"")
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        talk.asks("AT+CSMP=49,167,0,0")
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"\",129"))
        talk.asks("AT+CSCA=\"+9779851000\",145")
        talk.asks("AT+CNMI=2,1,0,1,0")
        talk.asks("AT+CMGD=1,4")
        #expect(talk.modem.health.usesTextMode)
        talk.send("V1|BNP-A|BA1")
        talk.asks("AT+CMGS=\"+9779812345678\",145", gets: ATLine("+CMGS: 7"))
        #expect(talk.decided.last == .result(id: 1, .accepted(references: [7])))
        talk.send("नमस्ते", id: 2)
        #expect(talk.decided.last == .result(id: 2, .refused(.needsPDUMode)))
    }
}

@Suite("A PIN", .timeLimit(.minutes(10)))
struct GSMModemPINTests {
    private func lockedSIM(_ talk: inout Conversation) {
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN"))
    }

    @Test func `is written down before it is entered, and forgotten when it was right`() {
        var talk = Conversation(pin: "1234")
        lockedSIM(&talk)
        #expect(talk.decided == [.openPort, .storePINMemory(.attempted)])
        talk.asks("AT+CPIN=\"1234\"")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.comeUpFromSIM()
        #expect(talk.decided.last == .storePINMemory(.untried))
    }

    @Test func `that is wrong is entered once and never again`() {
        var talk = Conversation(pin: "1234")
        lockedSIM(&talk)
        talk.asks("AT+CPIN=\"1234\"", result: .equipmentError(16))
        for _ in 0..<50 { talk.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN")) }
        #expect(
            talk.decided == [
                .openPort, .storePINMemory(.attempted), .alarm(.pinRejected), .storePINMemory(.rejected),
            ])
    }

    @Test func `that was wrong before the box started is not entered`() {
        var talk = Conversation(pin: "1234", pinMemory: .rejected)
        lockedSIM(&talk)
        for _ in 0..<5 { talk.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN")) }
        #expect(talk.decided == [.openPort, .alarm(.pinRejected)])
    }

    @Test func `whose answer was lost is entered again only with all attempts left`() {
        var talk = Conversation(pin: "1234", pinMemory: .attempted)
        lockedSIM(&talk)
        talk.asks("AT+CPINR=\"SIM PIN\"", gets: ATLine("+CPINR: SIM PIN,3,3"))
        talk.asks("AT+CPIN=\"1234\"")
        var uncertain = Conversation(pin: "1234", pinMemory: .attempted)
        lockedSIM(&uncertain)
        uncertain.asks("AT+CPINR=\"SIM PIN\"", gets: ATLine("+CPINR: SIM PIN,2,3"))
        uncertain.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN"))
        uncertain.asks("AT+CPINR=\"SIM PIN\"", result: .error)
        uncertain.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN"))
        #expect(uncertain.decided == [.openPort, .alarm(.pinUncertain)])
    }

    @Test func `is not entered when the modem falls silent over it and can't tell the attempts left`() {
        var talk = Conversation(pin: "1234")
        lockedSIM(&talk)
        talk.asks("AT+CPIN=\"1234\"", result: .noAnswer(payloadHandedOver: false))
        lockedSIM(&talk)
        talk.asks("AT+CPINR=\"SIM PIN\"", result: .error)
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: SIM PIN"))
        #expect(talk.decided == [.openPort, .storePINMemory(.attempted), .alarm(.pinUncertain)])
    }

    @Test func `is not entered when it can't be written down`() {
        var settings = GSMModem.Settings()
        settings.pin = "1234"
        var modem = GSMModem(settings: settings)
        let now = Uptime(milliseconds: 0)
        _ = modem.handle(.portOpened, at: now)
        for second in 0..<6 { _ = modem.handle(.answered(ATResponse(.ok)), at: now + .seconds(second)) }
        let asked = modem.handle(.answered(ATResponse(.ok, [ATLine("+CPIN: SIM PIN")])), at: now)
        #expect(asked.contains(.storePINMemory(.attempted)))
        let refused = modem.handle(.pinMemoryStored(false), at: now)
        #expect(refused.contains(.alarm(.pinMemoryFailed)))
        #expect(!refused.contains { if case .command = $0 { true } else { false } })
    }

    @Test(arguments: ["+CPIN: SIM PUK", "+CPIN: PH-SIM PIN", "+CPIN: PH-NET PUK"])
    func `is not entered where something else is asked for`(state: String) {
        var talk = Conversation(pin: "1234")
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        for _ in 0..<5 { talk.asks("AT+CPIN?", gets: ATLine(state)) }
        #expect(talk.decided == [.openPort, .alarm(state == "+CPIN: SIM PUK" ? .pukNeeded : .phoneLocked)])
    }

    @Test(arguments: [nil, "", "12", "123456789", "12a4", "1\"4;"])
    func `that is missing or no PIN is an alarm`(pin: String?) {
        var talk = Conversation(pin: pin)
        lockedSIM(&talk)
        #expect(talk.decided == [.openPort, .alarm(.pinNeeded)])
    }

    @Test func `goes on by itself when a person unlocked the SIM`() {
        var talk = Conversation()
        lockedSIM(&talk)
        talk.comeUpFromSIM()
        #expect(talk.decided == [.openPort, .alarm(.pinNeeded), .clear(.pinNeeded)])
    }

    @Test func `doesn't use another operator's network unless that is allowed`() {
        var talk = Conversation { $0.allowsRoaming = false }
        talk.asks("AT")
        talk.asks("ATE0")
        talk.asks("AT+CMEE=1")
        talk.asks("AT+CFUN?", gets: ATLine("+CFUN: 1"))
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,5"))
        #expect(talk.decided.last == .alarm(.roaming) && talk.modem.health.stage == .searching)
        talk.send()
        #expect(talk.decided.last == .result(id: 1, .refused(.notReady)))
        for _ in 0..<300 { talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,5")) }
        #expect(!talk.decided.contains(.alarm(.notRegistered)), "there is a network: nothing is wrong with the antenna")
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        #expect(talk.decided.last == .clear(.roaming))
    }

    @Test func `asks what the SIM has left once a day, and tells what the operator says`() {
        var talk = Conversation { $0.balanceCode = "*400#" }
        talk.bringUp()
        var dialled: [Uptime] = []
        while talk.now < Uptime(milliseconds: 90_000_000) {
            guard let command = talk.waitForCommand() else { break }
            if command.hasPrefix("AT+CUSD") { dialled.append(talk.now) }
            let lines: [ATLine] =
                command == "AT+CREG?" ? [ATLine("+CREG: 0,1")] : command == "AT+CSQ" ? [ATLine("+CSQ: 20,99")] : []
            talk.answers(lines)
        }
        #expect(dialled.count == 2)
        talk.receives(ATLine("+CUSD: 0,\"Your balance is Rs 1,204.5\",15"))
        #expect(talk.decided.last == .balance("Your balance is Rs 1,204.5"))
        talk.receives(ATLine("+CUSD: 0,\"00520073002000350030\",72"))
        #expect(talk.decided.last == .balance("Rs 50"))
    }
}
