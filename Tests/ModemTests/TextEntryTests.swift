import TestKit
import Testing

@testable import Modem

/// A modem that waits for a text takes every command for a part of it, and Ctrl-Z would send them.
@Suite("A text entry that is open", .timeLimit(.minutes(10)))
struct TextEntryTests {
    @Test(arguments: ["", "escape OK", "echo", "chunk 1", "ends cr", "strict"])
    func `is left before anything is said, and nothing of it goes out`(variant: String) async throws {
        try await Rig.run(saying: "open\nentry echo\n\(variant)") { rig in
            #expect(await rig.send("hi") == .accepted(references: [41]))
            #expect(rig.received.first == "ESC")
            #expect(rig.payloads.allSatisfy { $0.hasPrefix("0031") } && rig.payloads.count == 1)
            #expect(rig.count("AT+CFUN=1,1") == 0)
        }
    }

    @Test func `is left by the next start when the box stops before a slow modem's prompt`() async throws {
        // What is typed before the prompt is lost, the escape of the stopping box too.
        let slow = """
            entry echo
            on AT+CMGS=*
              pause 300
              flush
              prompt
              < +CMGS: 98
              < OK
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """
        try await Rig.run(saying: slow) { rig in
            #expect(await rig.isReady())
            async let first = rig.send("one")
            #expect(await rig.eventually { rig.received.contains { $0.hasPrefix("AT+CMGS=") } })
            try rig.restart()
            #expect(await first == .refused(.noAnswer))
            #expect(await rig.send("two") == .accepted(references: [41]))
            let only = try Rig.pdu(of: "two")
            #expect(rig.payloads == [only], "neither the first text nor a command went out")
        }
    }

    @Test(arguments: ["OK", "ERROR", "+CMS ERROR: 302"])
    func `is left when a stray result comes in place of the prompt, and the prompt after it`(
        stray: String
    ) async throws {
        let dialogue = """
            entry echo
            on AT+CMGS=*
              < \(stray)
              pause 50
              flush
              prompt
              < +CMGS: 98
              < OK
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """
        try await Rig.run(saying: dialogue) { rig in
            let result = await rig.send("one")
            if case .refused = result {} else { Issue.record("\(result)") }
            #expect(await rig.send("two") == .accepted(references: [41]))
            let only = try Rig.pdu(of: "two")
            #expect(rig.payloads == [only])
            #expect(rig.count("AT+CFUN=1,1") == 0)
        }
    }

    @Test func `that comes after the wait for it is left, and the text goes out the next time`() async throws {
        let dialogue = """
            on AT+CMGS=*
              pause 700
              flush
              prompt
              < +CMGS: 98
              < OK
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """
        var timing = GSMModem.Timing.short
        timing.prompt = .milliseconds(200)
        timing.answer = .seconds(1)
        try await Rig.run(saying: dialogue, timing: timing) { rig in
            #expect(await rig.send("one") == .refused(.noAnswer))
            #expect(await rig.send("one") == .accepted(references: [41]))
            let only = try Rig.pdu(of: "one")
            #expect(rig.payloads == [only])
        }
    }

    @Test func `that nothing ends is an alarm, and nothing is ever sent from it`() async throws {
        try await Rig.run(saying: "open\nentry echo\nescape ignored", timing: .hasty) { rig in
            #expect(await rig.alarm(.unresponsive))
            #expect(rig.received == [])
        }
    }
}

@Suite("A modem that restarts", .timeLimit(.minutes(10)))
struct ModemRestartTests {
    @Test func `over a text is brought up at once, and the text may have gone out`() async throws {
        let dialogue = """
            echo
            on AT+CMGS=*
              prompt
              < RDY
              < +CFUN: 1
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """
        var timing = GSMModem.Timing.short
        timing.submit = .seconds(600)
        try await Rig.run(saying: dialogue, timing: timing) { rig in
            #expect(await rig.send("hi") == .ambiguous)
            #expect(await rig.send("hi") == .accepted(references: [41]))
            #expect(rig.count("ATE0") == 2 && rig.count("AT+CFUN=1,1") == 0)
        }
    }

    @Test func `whatever it says before the PIN gets the PIN, once`() async throws {
        let dialogue = """
            on AT+CPIN="4711"
              < OK
            on AT+CPIN?
              < +CME ERROR: 11
            on AT+CPIN?
              < +CPIN: READY
              < OK
            on AT
              < +CME ERROR: 11
            on ATE0
              < +CME ERROR: 11
            on ATE0
              < OK
            on AT+CMEE=1
              < +CME ERROR: 11
            on AT+CMEE=1
              < OK
            on AT+CFUN?
              < +CME ERROR: 11
            """
        try await Rig.run(saying: dialogue, pin: "4711") { rig in
            #expect(await rig.send("hi") == .accepted(references: [41]))
            #expect(rig.count("AT+CPIN=\"4711\"") == 1 && rig.count("AT+CFUN=1,1") == 0)
        }
    }
}

extension Rig {
    static func pdu(of text: String) throws -> String {
        try SMSSubmit(to: Conversation.number, text: text).parts[0].hex
    }
}

extension GSMModem.Timing {
    /// For modems that never answer, so that every wait is one for nothing.
    static var hasty: GSMModem.Timing {
        var timing = short
        timing.answer = .milliseconds(100)
        timing.slowAnswer = .milliseconds(100)
        timing.settle = .milliseconds(20)
        timing.reopen = .milliseconds(20)
        return timing
    }
}
