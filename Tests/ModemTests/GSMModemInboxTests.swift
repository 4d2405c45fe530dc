import Testing

@testable import Modem

@Suite("A modem's inbox", .timeLimit(.minutes(10)))
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

    @Test(arguments: [("6,41,0", [41]), ("6,41", []), ("6,300,0", []), ("6,41,x", [])] as [(String, [UInt8])])
    func `takes of text mode what has a reference, a recipient and a status, and nothing less`(
        line: String, expected: [UInt8]
    ) {
        var talk = ready()
        talk.receives(ATLine("+CDS: " + line))
        #expect(references(talk) == expected)
    }

    @Test func `fetches and deletes a status report that was stored`() {
        var talk = ready()
        talk.receives(ATLine("+CDSI: \"SR\",3"))
        talk.asks("AT+CPMS=\"SR\"")
        talk.asks("AT+CMGR=3", gets: ATLine("+CMGR: 0,,26", data: report))
        talk.asks("AT+CMGD=3")
        #expect(references(talk) == [0x29])
    }

    @Test func `hands over a message from somebody, deletes it, and does nothing else`() {
        var talk = ready()
        talk.receives(ATLine("+CMTI: \"SM\",7"))
        talk.asks("AT+CPMS=\"SM\"")
        talk.asks("AT+CMGR=7", gets: ATLine("+CMGR: 0,,26", data: delivery))
        talk.asks("AT+CMGD=7")
        let sender = PhoneNumber(kind: .national, digits: "27838890001")
        #expect(talk.decided == [.message(InboundText(sender: sender, text: "hellohello"))])
        #expect(talk.modem.health.messageCount == 1)
    }

    @Test func `leaves messages alone when it only looks`() {
        var talk = Conversation(takesMessages: false)
        talk.bringUp(lists: false)
        talk.receives(ATLine("+CMTI: \"SM\",7"))
        for _ in 0..<12 {
            talk.asks("AT+CSQ", gets: ATLine("+CSQ: 20,99"))
            talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        }
        #expect(talk.modem.plan == [])
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
        #expect(talk.modem.health.messageCount == 2)
    }

    @Test(arguments: [
        "+CMTI: \"SM\"", "+CMTI: \"SM\";AT\",3", "+CMTI: \"SM\",x", "+CMTI: \"\r\",3", "+CMTI: \"SM\",-3",
    ])
    func `builds no command from nonsense`(line: String) {
        var talk = ready()
        talk.receives(ATLine(line))
        #expect(talk.modem.plan == [] && talk.decided == [])
    }

    @Test func `keeps no more than 300 steps of a SIM that is full beyond sense`() {
        var talk = Conversation()
        while let asked = talk.waitForCommand(), asked != "AT+CMGL=4" {
            talk.answers(
                asked == "AT+CPIN?" ? [ATLine("+CPIN: READY")] : asked == "AT+CREG?" ? [ATLine("+CREG: 0,1")] : [])
        }
        talk.answers((0..<1000).map { ATLine("+CMGL: \($0),1,,26", data: delivery) })
        #expect(talk.modem.health.messageCount == 300)
        for index in 0..<300 { talk.asks("AT+CMGD=\(index)") }
        #expect(talk.modem.plan.isEmpty && talk.modem.health.stage == .ready)
    }

    @Test func `keeps no more than 300 steps of a flood of messages`() {
        var talk = ready()
        for index in 0..<1000 { talk.receives(ATLine("+CMTI: \"SM\",\(index)")) }
        #expect((297...300).contains(talk.modem.plan.count))
    }

    @Test(arguments: [true, false])
    func `looks into both stores once it has chosen one`(isChosen: Bool) {
        var talk = ready()
        talk.receives(ATLine("+CMTI: \"SM\",7"))
        talk.asks("AT+CPMS=\"SM\"", result: isChosen ? .ok : .error)
        talk.asks("AT+CMGR=7")
        talk.asks("AT+CMGD=7")
        while let asked = talk.waitForCommand(), ["AT+CSQ", "AT+CREG?"].contains(asked) {
            talk.answers(asked == "AT+CREG?" ? [ATLine("+CREG: 0,1")] : [])
        }
        if isChosen {
            for step in ["AT+CPMS=\"ME\"", "AT+CMGL=4", "AT+CPMS=\"SM\""] { talk.asks(step) }
        }
        talk.asks("AT+CMGL=4")
        #expect(talk.modem.plan.isEmpty)
    }

    @Test func `hands on no more than 500 characters of what the operator says`() {
        var talk = Conversation { $0.balanceCode = "*400#" }
        talk.bringUp()
        talk.receives(ATLine("+CUSD: 0,\"\(String(repeating: "x", count: 501))\",15"))
        #expect(talk.decided.last == .balance(String(repeating: "x", count: 500)))
    }

    @Test func `takes places up to 9999 of stores with up to four letters`() {
        for line in ["+CMTI: \"SM\",0", "+CMTI: \"SM\",9999", "+CMTI: \"S\",1", "+CMTI: \"ABCD\",1"] {
            var talk = ready()
            talk.receives(ATLine(line))
            // The store is selected at once.
            #expect(talk.modem.plan.count == 2, "\(line)")
        }
        for line in ["+CMTI: \"SM\",10000", "+CMTI: \"\",1", "+CMTI: \"ABCDE\",1"] {
            var talk = ready()
            talk.receives(ATLine(line))
            #expect(talk.modem.plan.isEmpty, "\(line)")
        }
    }
}
