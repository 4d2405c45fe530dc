import TestKit
import Testing

@testable import Modem

@Suite("A modem sending")
struct GSMModemSendingTests {
    private func ready() -> Conversation {
        var talk = Conversation()
        talk.bringUp()
        talk.decided = []
        return talk
    }

    @Test func `tells the reference of an accepted text`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 41"))
        #expect(talk.decided == [.outcome(id: 1, .accepted(references: [41]))])
    }

    @Test func `sends a long text part by part`() {
        var talk = ready()
        talk.send(String(repeating: "A", count: 200))
        talk.asks("AT+CMGS=155", gets: ATLine("+CMGS: 1"))
        #expect(talk.decided == [])
        talk.asks("AT+CMGS=63", gets: ATLine("+CMGS: 2"))
        #expect(talk.decided == [.outcome(id: 1, .accepted(references: [1, 2]))])
    }

    @Test(arguments: [38, 41, 42, 47, 192, 194, 332, 500, 17, 22, 331, 511])
    func `takes a passing refusal for one`(code: Int) {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(code))
        #expect(talk.decided == [.outcome(id: 1, .refused(.network(code)))])
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        talk.send(id: 2)
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 42"))
        #expect(talk.decided.last == .outcome(id: 2, .accepted(references: [42])))
    }

    @Test(arguments: [8, 10, 21, 27, 28, 29, 30, 50, 69, 330])
    func `takes a permanent refusal for one`(code: Int) {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(code))
        #expect(talk.decided == [.outcome(id: 1, .stopped(.network(code)))])
        #expect(SendFailure.network(code).description.contains("\(code)"))
    }

    @Test func `looks at the SIM again when that is why the text was refused`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(314))
        #expect(talk.decided == [.outcome(id: 1, .refused(.network(314)))])
        talk.comeUpFromSIM()
    }

    @Test func `calls silence after the text ambiguous, and a late answer settles it`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .noAnswer(payloadHandedOver: true))
        #expect(talk.decided == [.outcome(id: 1, .ambiguous)])
        talk.receives(ATLine("+CMGS: 41"))
        talk.receives(ATLine("+CMGS: 41"))
        #expect(talk.decided == [.outcome(id: 1, .ambiguous), .outcome(id: 1, .accepted(references: [41]))])
    }

    @Test func `calls silence before the text a refusal`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .noAnswer(payloadHandedOver: false))
        #expect(talk.decided == [.outcome(id: 1, .refused(.noAnswer))])
        talk.bringUp()
    }

    @Test func `refuses a text while it is not ready or busy with another`() {
        var talk = Conversation()
        talk.send()
        #expect(talk.decided.last == .outcome(id: 1, .refused(.notReady)))
        talk = ready()
        talk.send(id: 2)
        talk.send(id: 3)
        #expect(talk.decided == [.outcome(id: 3, .refused(.notReady))])
    }

    @Test func `says which text can't be sent at all`() {
        var talk = ready()
        talk.send("")
        #expect(talk.decided == [.outcome(id: 1, .unsendable(.emptyText))])
    }

    @Test func `gives a text back when the port vanishes under it`() {
        var talk = ready()
        talk.send()
        #expect(talk.waitForCommand() == "AT+CMGS=17")
        talk.take(talk.modem.handle(.answered(ATResponse(.noAnswer(payloadHandedOver: true))), at: talk.now))
        talk.take(talk.modem.handle(.portClosed, at: talk.now))
        #expect(talk.decided == [.outcome(id: 1, .ambiguous)])
        #expect(talk.modem.health.stage == .closed)
    }
}

@Suite("A modem's recovery")
struct GSMModemRecoveryTests {
    private let silence = ATResult.noAnswer(payloadHandedOver: false)

    @Test func `climbs from a new initialisation to a radio restart, a reopened port and an alarm`() {
        var talk = Conversation()
        for _ in 0..<3 { talk.asks("AT", result: silence) }
        for _ in 0..<3 { talk.asks("AT", result: silence) }  // First rung.
        talk.asks("AT+CFUN=1,1", result: silence)  // Second rung.
        #expect(talk.decided == [.openPort, .closePort])  // Third rung.
        #expect(talk.waitForCommand() == nil)
        #expect(talk.decided == [.openPort, .closePort, .openPort])
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        for _ in 0..<3 { talk.asks("AT", result: silence) }
        #expect(talk.decided.suffix(2) == [.closePort, .alarm(.unresponsive)])
        let closedAt = talk.now
        #expect(talk.modem.deadline == closedAt + .seconds(60))
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        for _ in 0..<3 { talk.asks("AT", result: silence) }
        #expect(talk.modem.deadline == talk.now + .seconds(120), "each further wait is twice as long")
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.bringUp()
        #expect(talk.decided.last == .clear(.unresponsive))
    }

    @Test func `starts at the first rung again after a text went out`() {
        var talk = Conversation()
        talk.bringUp()
        talk.asks("AT+CSQ", result: silence)
        talk.bringUp()
        talk.send()
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 1"))
        talk.asks("AT+CSQ", result: silence)
        talk.bringUp()
        talk.asks("AT+CSQ", result: silence)
        talk.asks("AT+CFUN=1,1")
        talk.bringUp()
    }

    @Test func `opens a port that was unplugged again and again, with one alarm`() {
        var talk = Conversation()
        talk.bringUp()
        talk.take(talk.modem.handle(.portClosed, at: talk.now))
        for _ in 0..<30 {
            #expect(talk.waitForCommand() == nil)
            talk.take(talk.modem.handle(.portFailed, at: talk.now))
        }
        #expect(talk.decided.count { $0 == .alarm(.portMissing) } == 1)
        #expect(talk.decided.count { $0 == .openPort } == 31)
        _ = talk.waitForCommand()
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.bringUp()
        #expect(talk.decided.last == .clear(.portMissing))
    }

    @Test func `starts over when the modem restarted by itself`() {
        var talk = Conversation()
        talk.bringUp()
        talk.receives(ATLine("RDY"))
        talk.bringUp()
    }

    @Test func `survives any sequence of events`() {
        var random = SeededGenerator(seed: 5)
        let lines = [
            "+CPIN: READY", "+CPIN: SIM PIN", "+CREG: 0,1", "+CREG: 0,2", "+CMTI: \"SM\",3", "+CDSI: \"SR\",1", "RDY",
            "+CDS: 1",
            "+CMGL: 1,1,,3", "+CSQ: 99", "+CFUN: 4", "+CMGS: 300", "+CSCA: \"\"", "+CMTI: ", "+CPINR: SIM PIN,3,3",
        ]
        let results: [ATResult] = [
            .ok, .ok, .ok, .ok, .error, .equipmentError(11), .equipmentError(14), .messageError(38), .noPrompt,
            .noAnswer(payloadHandedOver: true), .noAnswer(payloadHandedOver: false), .messageError(nil),
        ]
        for _ in 0..<300 {
            var settings = GSMModem.Settings()
            settings.pin = "1234"
            var modem = GSMModem(settings: settings)
            var now = Uptime(milliseconds: 0)
            var outcomes: [UInt64: Int] = [:]
            var text: UInt64 = 0
            for _ in 0..<300 {
                now = now + .milliseconds(random.below(20_000))
                let line = ATLine(lines[random.below(lines.count)], data: random.below(3) == 0 ? "0006AB" : nil)
                let event: GSMModem.Event
                switch random.below(12) {
                case 0: event = .portOpened
                case 1: event = random.below(4) == 0 ? .portClosed : .clockTicked
                case 2: event = .unsolicited(line)
                case 3: event = .pinMemoryStored(random.below(2) == 0)
                case 4:
                    text += 1
                    event = .send(.init(id: text, number: Conversation.number, text: "hi"))
                case 5: event = .clockTicked
                default: event = .answered(ATResponse(results[random.below(results.count)], [line]))
                }
                for action in modem.handle(event, at: now) {
                    if case .outcome(let id, let outcome) = action, outcome != .ambiguous {
                        outcomes[id, default: 0] += 1
                    }
                    if case .command(let command) = action, command.isSecret {
                        #expect(
                            modem.pinMemory == .attempted,
                            "it is written down first, and never entered again when wrong")
                    }
                }
                #expect(modem.plan.count <= GSMModem.maximumPlan + 20)
            }
            #expect(outcomes.values.allSatisfy { $0 == 1 }, "every text has one outcome")
        }
    }
}

@Suite("A modem's inbox")
struct GSMModemInboxTests {
    private let report = "07917799082100F006290D91799718325476F8621112510503326211125115033200"
    private let delivery = "07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37"

    private func ready() -> Conversation {
        var talk = Conversation()
        talk.bringUp()
        talk.decided = []
        return talk
    }

    private func references(_ talk: Conversation) -> [UInt8] {
        talk.decided.compactMap { if case .report(let report) = $0 { report.reference } else { nil } }
    }

    @Test func `takes a status report that comes at once`() {
        var talk = ready()
        talk.receives(ATLine("+CDS: 26", data: report))
        #expect(references(talk) == [0x29])
    }

    @Test func `takes a status report of text mode`() {
        var talk = ready()
        talk.receives(ATLine("+CDS: 6,41,\"+9779812345678\",145,\"26/11/21\",\"26/11/21\",0"))
        #expect(references(talk) == [41])
    }

    @Test func `fetches and deletes a status report that was stored`() {
        var talk = ready()
        talk.receives(ATLine("+CDSI: \"SR\",3"))
        talk.asks("AT+CPMS=\"SR\"")
        talk.asks("AT+CMGR=3", gets: ATLine("+CMGR: 0,,26", data: report))
        talk.asks("AT+CMGD=3")
        #expect(references(talk) == [0x29])
    }

    @Test func `deletes a message from somebody, counts it, and does nothing else`() {
        var talk = ready()
        talk.receives(ATLine("+CMTI: \"SM\",7"))
        talk.asks("AT+CPMS=\"SM\"")
        talk.asks("AT+CMGR=7", gets: ATLine("+CMGR: 0,,26", data: delivery))
        talk.asks("AT+CMGD=7")
        #expect(
            talk.decided == [.deletedMessage(from: PhoneNumber(kind: .national, digits: "27838890001"))])
        #expect(talk.modem.health.deletedCount == 1)
    }

    @Test func `empties the SIM when it starts, unreadable messages too`() {
        var talk = Conversation()
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0", "AT+CMGF=0", "AT+CSCA?", "AT+CNMI=2,1,0,1,0"] {
            talk.asks(step)
        }
        talk.asks(
            "AT+CMGL=4", gets: ATLine("+CMGL: 1,1,,26", data: delivery), ATLine("+CMGL: 2,1,,9", data: "XYZ"),
            ATLine("+CMGL: 5,1,,26", data: report))
        for index in [1, 2, 5] { talk.asks("AT+CMGD=\(index)") }
        #expect(references(talk) == [0x29])
        #expect(talk.modem.health.deletedCount == 2)
    }

    @Test(arguments: [
        "+CMTI: \"SM\"", "+CMTI: \"SM\";AT\",3", "+CMTI: \"SM\",x", "+CMTI: \"\r\",3", "+CMTI: \"SM\",-3",
    ])
    func `builds no command from nonsense`(line: String) {
        var talk = ready()
        talk.receives(ATLine(line))
        #expect(talk.modem.plan == [] && talk.decided == [])
    }
}
