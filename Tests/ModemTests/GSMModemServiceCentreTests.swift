import Testing

@testable import Modem

@Suite("A service centre", .timeLimit(.minutes(10)))
struct GSMModemServiceCentreTests {
    private func upToServiceCentre() -> Conversation {
        var talk = Conversation()
        for step in ["AT", "ATE0", "AT+CMEE=1", "AT+CFUN?"] { talk.asks(step) }
        talk.asks("AT+CPIN?", gets: ATLine("+CPIN: READY"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        for step in ["AT+CSQ", "AT+COPS?", "AT+CSMS=0", "AT+CMGF=0"] { talk.asks(step) }
        talk.decided = []
        return talk
    }

    @Test func `is asked for again when the SIM is busy, without an alarm`() {
        var talk = upToServiceCentre()
        for _ in 0..<3 { talk.asks("AT+CSCA?", result: .equipmentError(14)) }
        talk.asks("AT+CSCA?", result: .messageError(314))
        talk.asks("AT+CNMI=2,1,0,1,0")
        talk.asks("AT+CMGL=4")
        talk.asks("AT+CSQ", gets: ATLine("+CSQ: 20,99"))
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        // As often as the first time.
        for _ in 0..<3 { talk.asks("AT+CSCA?", result: .equipmentError(14)) }
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        #expect(talk.modem.health.serviceCentre == "+9779851000" && talk.decided == [])
    }

    @Test func `that is missing is no alarm any more when a text goes out, nor when the SIM has one after all`() {
        var talk = upToServiceCentre()
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"\",129"))
        #expect(talk.decided == [.alarm(.noServiceCentre)])
        talk.asks("AT+CNMI=2,1,0,1,0")
        talk.asks("AT+CMGL=4")
        var other = talk
        talk.send()
        talk.asks("AT+CMGS=17", gets: ATLine("+CMGS: 1"))
        #expect(talk.decided.last == .clear(.noServiceCentre))
        talk.asks("AT+CSQ")
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"\",129"))
        #expect(talk.decided.last == .clear(.noServiceCentre), "it has been proved that there is one")
        other.asks("AT+CSQ")
        other.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        other.asks("AT+CSCA?", gets: ATLine("+CSCA: \"+9779851000\",145"))
        #expect(other.decided.last == .clear(.noServiceCentre))
    }

    @Test func `that a modem can't tell is no alarm, until the network misses it`() {
        var talk = upToServiceCentre()
        talk.asks("AT+CSCA?", result: .error)
        talk.asks("AT+CNMI=2,1,0,1,0")
        talk.asks("AT+CMGL=4")
        #expect(talk.decided == [])
        talk.send()
        talk.asks("AT+CMGS=17", result: .messageError(330))
        #expect(talk.decided == [.result(id: 1, .refused(.network(330))), .alarm(.noServiceCentre)])
        talk.asks("AT")
        talk.asks("AT+CREG?", gets: ATLine("+CREG: 0,1"))
        talk.asks("AT+CSCA?", result: .error)
    }
}
