import Testing

@testable import Modem

@Suite("A modem in text mode that takes two bytes a character only", .timeLimit(.minutes(1)))
struct WideTextModeTests {
    @Test func `gets numbers and texts so`() {
        var talk = Conversation()
        talk.comeUpToTextMode()
        talk.asks("AT+CSCS=\"IRA\"", result: .error)
        talk.asks("AT+CSCS=\"UCS2\"")
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"002B0039\",145"))
        talk.asks("AT+CSMP=49,167,0,0")
        talk.asks("AT+CSCA?", gets: ATLine("+CSCA: \"002B0039\",145"))
        talk.asks("AT+CNMI=2,1,0,1,0")
        talk.asks("AT+CMGD=1,4")
        talk.send("V1")
        talk.asks("AT+CMGS=\"002B0039003700370039003800310032003300340035003600370038\",145", gets: ATLine("+CMGS: 7"))
        #expect(talk.decided.last == .result(id: 1, .accepted(references: [7])))
    }
}

@Suite("Settings of a modem that are printed", .timeLimit(.minutes(1)))
struct PrintedSettingsTests {
    @Test(arguments: [nil, "1379"]) func `say whether there is a PIN, and never which`(pin: String?) {
        var settings = GSMModem.Settings()
        settings.pin = pin
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] {
            #expect(!text.contains("1379"), "\(text)")
        }
        #expect(
            Mirror(reflecting: settings).children.map { "\($0.label ?? ""): \($0.value)" } == ["hasPIN: \(pin != nil)"])
    }
}
