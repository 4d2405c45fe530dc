import Testing

@testable import Modem

@Suite("A SIM that is busy", .timeLimit(.minutes(1)))
struct BusySIMTests {
    @Test func `waits for a busy SIM`() {
        var talk = Conversation()
        talk.comeUpToSIM()
        for _ in 0..<3 { talk.asks("AT+CPIN?", result: .equipmentError(14)) }
        #expect(talk.modem.health.sim == .busy)
        talk.comeUpFromSIM()
    }

    @Test func `begins to count anew once it was ready`() {
        var talk = Conversation()
        talk.comeUpToSIM()
        talk.asks("AT+CPIN?", result: .equipmentError(14))
        talk.comeUpFromSIM()
        talk.send()
        talk.asks("AT+CMGS=17", result: .equipmentError(14))
        talk.asks("AT")
        for _ in 0..<20 { talk.asks("AT+CPIN?", result: .equipmentError(14)) }
        #expect(!talk.decided.contains(.alarm(.simFailure)), "\(talk.decided)")
    }

    @Test func `calls a person when a SIM is busy at the twenty-first question, and begins to count anew`() {
        var talk = Conversation()
        talk.comeUpToSIM()
        for _ in 0..<20 { talk.asks("AT+CPIN?", result: .equipmentError(14)) }
        #expect(!talk.decided.contains(.alarm(.simFailure)), "\(talk.decided)")
        talk.asks("AT+CPIN?", result: .equipmentError(14))
        #expect(talk.decided.contains(.alarm(.simFailure)), "\(talk.decided)")
        for _ in 0..<20 { talk.asks("AT+CPIN?", result: .equipmentError(14)) }
        #expect(talk.decided.count { $0 == .alarm(.simFailure) } == 1, "\(talk.decided)")
    }
}
