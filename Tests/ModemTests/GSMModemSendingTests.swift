import Testing

@testable import Modem

@Suite("A modem sending", .timeLimit(.minutes(10)))
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
        #expect(talk.decided == [.result(id: 1, .accepted(references: [41]))])
    }

    @Test func `sends a long text part by part`() {
        var talk = ready()
        talk.send(String(repeating: "A", count: 200))
        talk.asks("AT+CMGS=155", gets: ATLine("+CMGS: 1"))
        #expect(talk.decided == [])
        talk.asks("AT+CMGS=63", gets: ATLine("+CMGS: 2"))
        #expect(talk.decided == [.result(id: 1, .accepted(references: [1, 2]))])
    }

    @Test(arguments: [38, 41, 42, 47, 192, 194, 332, 500, 17, 22, 331, 511, 8, 10, 21, 27, 28, 29, 30, 50, 69])
    func `proves that the modem listens after a refusal, whatever its code, and goes on`(code: Int) {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(code))
        #expect(talk.decided == [.result(id: 1, .refused(.network(code)))])
        talk.asks("AT")
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        talk.send(id: 2)
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 42"))
        #expect(talk.decided.last == .result(id: 2, .accepted(references: [42])))
    }

    @Test func `looks at the SIM again when that is why the text was refused`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(314))
        #expect(talk.decided == [.result(id: 1, .refused(.network(314)))])
        talk.asks("AT")
        talk.comeUpFromSIM()
    }

    @Test func `calls silence after the text ambiguous, and a late answer settles it`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .noAnswer(payloadHandedOver: true))
        #expect(talk.decided == [.result(id: 1, .ambiguous)])
        talk.receives(ATLine("+CMGS: 41"))
        talk.receives(ATLine("+CMGS: 41"))
        #expect(talk.decided == [.result(id: 1, .ambiguous), .result(id: 1, .accepted(references: [41]))])
    }

    @Test func `takes a late answer for none of an earlier text once it has another one`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .noAnswer(payloadHandedOver: true))
        talk.bringUp()
        talk.send(id: 2)
        talk.receives(ATLine("+CMGS: 41"))
        #expect(talk.decided.last == .result(id: 1, .ambiguous))
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 42"))
        #expect(talk.decided.last == .result(id: 2, .accepted(references: [42])))
    }

    @Test func `looks at the network after a refusal where there is room in the plan, and not where it is full`() {
        for (messages, looks) in [(298, true), (299, false), (300, false)] {
            var talk = ready()
            while let asked = talk.waitForCommand(), asked != "AT+CMGL=4" {
                talk.answers(asked == "AT+CREG?" ? [ATLine("+CREG: 0,1")] : [])
            }
            talk.answers((0..<messages).map { ATLine("+CMGL: \($0),1,,26") })
            talk.send()
            talk.asks("AT+CMGD=0")
            #expect(talk.waitForCommand() == "AT+CMGS=17")
            // A prompt that nobody waits for puts two more steps before what is planned.
            talk.take(talk.modem.handle(.strayPrompt, at: talk.now))
            talk.asks("AT+CMGS=17", result: .messageError(41))
            #expect(talk.modem.plan.contains(.registration) == looks, "\(messages) messages")
        }
    }

    @Test func `calls a person again when the network misses the service centre after all, though a text went out`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 41"))
        talk.send(id: 2)
        talk.asks("AT+CMGS=17", result: .messageError(330))
        talk.asks("AT")
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        #expect(talk.decided.last == .clear(.noServiceCentre))
        talk.send(id: 3)
        // Another SIM was put in: it has none.
        talk.asks("AT+CMGS=17", result: .messageError(314))
        talk.asks("AT")
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0", "AT+CMGF=0"] { talk.asks(step) }
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"\",129"))
        #expect(talk.decided.last == .alarm(.noServiceCentre))
    }

    @Test func `sends in text mode what is one text of plain characters, blanks among them, and nothing else`() {
        var talk = ready()
        talk.modem.health.usesTextMode = true
        talk.send("a b")
        talk.asks("AT+CMGS=\"+9779812345678\",145", gets: ATLine("+CMGS: 41"))
        #expect(talk.decided == [.result(id: 1, .accepted(references: [41]))])
        for text in [String(repeating: "A", count: 161), "a\nb", "10 $", "न"] {
            talk.send(text, id: 2)
            #expect(talk.decided.last == .result(id: 2, .refused(.needsPDUMode)), "\(text)")
        }
    }

    @Test func `says in text mode whether a number begins with the country`() {
        var talk = ready()
        talk.modem.health.usesTextMode = true
        let number = PhoneNumber(kind: .national, digits: "31001")
        talk.take(talk.modem.handle(.send(.init(id: 1, number: number, text: "hi")), at: talk.now))
        talk.asks("AT+CMGS=\"31001\",129", gets: ATLine("+CMGS: 41"))
        #expect(talk.decided == [.result(id: 1, .accepted(references: [41]))])
    }

    @Test func `calls silence before the text a refusal`() {
        var talk = ready()
        talk.send()
        talk.asks("AT+CMGS=17", result: .noAnswer(payloadHandedOver: false))
        #expect(talk.decided == [.result(id: 1, .refused(.noAnswer))])
        talk.bringUp()
    }

    @Test func `refuses a text while it is not ready or busy with another`() {
        var talk = Conversation()
        talk.send()
        #expect(talk.decided.last == .result(id: 1, .refused(.notReady)))
        talk = ready()
        talk.send(id: 2)
        talk.send(id: 3)
        #expect(talk.decided == [.result(id: 3, .refused(.notReady))])
    }

    @Test func `says which text can't be sent at all`() {
        var talk = ready()
        talk.send("")
        #expect(talk.decided == [.result(id: 1, .unsendable(.emptyText))])
    }

    @Test func `gives a text back when the port vanishes under it`() {
        var talk = ready()
        talk.send()
        #expect(talk.waitForCommand() == "AT+CMGS=17")
        talk.take(talk.modem.handle(.answered(ATResponse(.noAnswer(payloadHandedOver: true))), at: talk.now))
        talk.take(talk.modem.handle(.portClosed, at: talk.now))
        #expect(talk.decided == [.result(id: 1, .ambiguous)])
        #expect(talk.modem.health.stage == .closed)
    }
}
