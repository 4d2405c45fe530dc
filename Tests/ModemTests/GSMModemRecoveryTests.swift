import TestKit
import Testing

@testable import Modem

@Suite("A modem's recovery", .timeLimit(.minutes(10)))
struct GSMModemRecoveryTests {
    private let silence = ATResult.noAnswer(payloadHandedOver: false)

    @Test func `begins anew when an answer lacks its line, three times until one has it`() {
        var talk = Conversation()
        let start = ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"]
        for _ in 0..<3 { for step in start + ["AT+CPIN?"] { talk.asks(step) } }
        for step in start { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        for _ in 0..<3 {
            talk.asks("AT+CREG?")
            for step in start { talk.asks(step) }
            talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        }
    }

    @Test func `climbs from a new initialisation to a radio restart, a reopened port and an alarm`() {
        var talk = Conversation()
        talk.staysSilent()
        talk.staysSilent()  // First rung.
        talk.asks("AT+CFUN=1,1", result: silence)  // Second rung.
        #expect(talk.decided == [.openPort, .closePort])  // Third rung.
        #expect(talk.waitForCommand() == nil)
        #expect(talk.decided == [.openPort, .closePort, .openPort])
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.staysSilent()
        #expect(talk.decided.suffix(2) == [.closePort, .alarm(.unresponsive)])
        let closedAt = talk.now
        #expect(talk.modem.deadline == closedAt + .seconds(60))
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.staysSilent()
        #expect(talk.modem.deadline == talk.now + .seconds(120), "each further wait is twice as long")
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.bringUp()
        #expect(talk.decided.last == .clear(.unresponsive))
    }

    @Test func `has its power taken away once before a person is called, where something can do that`() {
        var talk = Conversation { $0.canCyclePower = true }
        talk.staysSilent()
        talk.staysSilent()
        talk.asks("AT+CFUN=1,1", result: silence)
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.staysSilent()
        #expect(talk.decided.suffix(2) == [.closePort, .cyclePower])
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.staysSilent()
        #expect(talk.decided.suffix(3) == [.closePort, .cyclePower, .alarm(.unresponsive)])
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
            talk.take(talk.modem.handle(.portFailed(.missing), at: talk.now))
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

    @Test func `starts over at once when the modem restarts over a text, which is ambiguous if it had it`() {
        for hadIt in [true, false] {
            var talk = Conversation()
            talk.bringUp()
            talk.send()
            talk.asks("AT+CMGS=17", result: .restarted(payloadHandedOver: hadIt))
            #expect(talk.decided.last == .result(id: 1, hadIt ? .ambiguous : .refused(.noAnswer)))
            let since = talk.now
            talk.bringUp()
            #expect(talk.now - since < .seconds(5) && talk.modem.rung == 0)
            talk.receives(ATLine("+CMGS: 41"))
            #expect(talk.decided.last != .result(id: 1, .accepted(references: [41])), "it is of no text any more")
        }
    }

    @Test func `says so when the modem restarts again and again, until a text goes out`() {
        var talk = Conversation()
        for _ in 0..<3 {
            talk.bringUp()
            talk.now = talk.now + .seconds(60)
            talk.send()
            talk.asks("AT+CMGS=17", result: .restarted(payloadHandedOver: true))
        }
        #expect(talk.decided.contains(.alarm(.restarting)))
        talk.bringUp()
        talk.send()
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 1"))
        #expect(talk.decided.last == .clear(.restarting))
        talk.now = talk.now + .seconds(60)
        talk.send(id: 2)
        talk.asks("AT+CMGS=17", result: .restarted(payloadHandedOver: true))
        #expect(talk.decided.last == .result(id: 2, .ambiguous), "it counts anew")
    }

    @Test func `leaves a text entry before every rung and every new beginning`() {
        var talk = Conversation()
        #expect(talk.escapes == 1)
        talk.bringUp()
        talk.asks("AT+CSQ", result: silence)
        talk.staysSilent()
        #expect(talk.escapes == 3, "the second question comes without one, for modems that choke on it")
        talk.asks("AT+CFUN=1,1", result: silence)
        #expect(talk.escapes == 4)
        #expect(talk.waitForCommand() == nil)
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        #expect(talk.escapes == 5)
    }

    @Test(arguments: [ATResult.noPrompt, .error, .messageError(304), .equipmentError(100)])
    func `hands over nothing after a missed prompt before the modem has answered an AT`(result: ATResult) {
        var talk = Conversation()
        talk.bringUp()
        talk.send()
        talk.asks("AT+CMGS=17", result: result)
        let escapes = talk.escapes
        talk.send(id: 2)
        talk.asks("AT", result: silence)
        talk.asks("ATQ0V1")
        #expect(talk.escapes >= escapes && talk.escapes > 1)
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 1"))
        #expect(talk.decided.last == .result(id: 2, .accepted(references: [1])))
    }

    @Test func `asks whether the modem listens when it shows a prompt that nobody waits for`() {
        var talk = Conversation()
        talk.bringUp()
        talk.take(talk.modem.handle(.strayPrompt, at: talk.now))
        talk.send()
        talk.asks("AT")
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 1"))
    }

    @Test(arguments: [ATResult.error, .equipmentError(11), .messageError(500)])
    func `takes any answer for a sign of life`(result: ATResult) {
        var talk = Conversation()
        talk.asks("AT", result: result)
        talk.asks("ATE0")
    }

    @Test func `waits for late answers to pass when they are taken for the next ones`() {
        var talk = Conversation()
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        let since = talk.now
        talk.asks("AT+CPIN?")
        talk.bringUp()
        #expect(talk.now - since >= .seconds(3))
    }

    @Test func `takes three OKs without their line for late ones, and the fourth for the modem's way`() {
        var talk = Conversation()
        for _ in 0..<4 {
            for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?", "AT+CPIN?"] { talk.asks(step) }
        }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
    }

    @Test(arguments: [(59.9, false), (60, true)])
    func `calls a person a minute after the port was lost, however late it is looked for`(
        seconds: Double, isCalled: Bool
    ) {
        var talk = Conversation()
        talk.bringUp()
        talk.take(talk.modem.handle(.portClosed, at: talk.now))
        let actions = talk.modem.handle(.portFailed(.missing), at: talk.now + .seconds(seconds))
        #expect(actions.contains(.alarm(.portMissing)) == isCalled)
    }

    @Test(arguments: [(119.9, false), (120, true)])
    func `calls a person after two minutes without a network`(seconds: Double, isCalled: Bool) {
        var talk = Conversation()
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        func searches() {
            talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,2"))
            talk.asks("AT+CEREG?", gets: ATLine("+CEREG: 0,2"))
        }
        searches()
        talk.now = talk.now + .seconds(seconds)
        searches()
        #expect(talk.decided.contains(.alarm(.notRegistered)) == isCalled)
    }

    @Test func `looks at the network a minute after it came up, the second time too`() {
        var talk = Conversation()
        talk.bringUp()
        talk.take(talk.modem.handle(.portClosed, at: talk.now))
        talk.now = talk.now + .seconds(300)
        talk.take(talk.modem.handle(.clockTicked, at: talk.now))
        talk.take(talk.modem.handle(.portOpened, at: talk.now))
        talk.bringUp()
        let since = talk.now
        #expect(talk.waitForCommand() == "AT+CSQ")
        #expect(talk.now - since >= .seconds(60))
    }

    @Test func `asks for words where the modem gives numbers`() {
        var talk = Conversation()
        _ = talk.waitForCommand()
        var answer = ATResponse(.ok)
        answer.isNumeric = true
        talk.forgetCommand()
        talk.take(talk.modem.handle(.answered(answer), at: talk.now))
        talk.asks("ATV1")
        talk.asks("ATE0")
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
            var decided: [UInt64: Int] = [:]
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
                    if case .result(let id, let result) = action, result != .ambiguous {
                        decided[id, default: 0] += 1
                    }
                    if case .command(let command) = action, command.isSecret {
                        #expect(
                            modem.pinMemory == .attempted,
                            "it is written down first, and never entered again when wrong")
                    }
                }
                #expect(modem.plan.count <= GSMModem.maximumPlan + 20)
            }
            #expect(decided.values.allSatisfy { $0 == 1 }, "every text has one result")
        }
    }
}
