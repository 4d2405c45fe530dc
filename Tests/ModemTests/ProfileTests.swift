import TestKit
import Testing

@testable import Modem

/// Modems as they differ: start, send, lose an answer, restart, send. Nothing may be lost, and only a text whose answer was lost
/// may be out twice.
@Suite("A modem driver and a modem that is different", .timeLimit(.minutes(10)))
struct ProfileTests {
    /// The second text is never answered; the others are.
    private static func sending(_ answer: String) -> String {
        """
        on AT+CMGS=*
        \(answer)
        on AT+CMGS=*
          prompt
          silence
        on AT+CMGS=*
        \(answer)
        """
    }

    private static let plainly = "  prompt\n  < +CMGS: 41\n  < OK"

    private static let profiles: [(name: String, dialogue: String)] = [
        ("gives numbers for result codes", "numeric\necho\n" + sending(plainly)),
        ("gives no result codes at first", "on AT\n  silence\non AT\n  < OK\n" + sending(plainly)),
        (
            "echoes for good, ends lines with a carriage return alone, and has a bare prompt",
            "echo\nends cr\non ATE0\n  < ERROR\n" + sending("  prompt bare\n  < +CMGS:41\n  < OK")
        ),
        (
            "takes an escape for a part of the line, byte by byte", "strict\nchunk 1\n" + sending(plainly)
        ),
        (
            "is slow, and talks before the prompt and after the text",
            "delay 150\n"
                + sending("  < +CREG: 1\n  pause 300\n  prompt\n  < ^RSSI: 9\n  pause 400\n  < +CMGS: 41\n  < OK")
        ),
        (
            "never stops telling of messages and reports",
            (1...40).map { "on AT+CSQ\n  < +CMTI: \"SM\",\($0)\n  < +CSQ: 9,99\n  < OK\n" }.joined()
                + sending(
                    "  prompt\n"
                        + (1...20).map {
                            "  < +CMTI: \"SM\",\($0)\n  < +CDS: 26\n  raw "
                                + "07917799082100F006290D91799718325476F8621112510503326211125115033200\\r\\n\n"
                        }.joined() + "  < +CMGS: 41\n  < OK")
        ),
        (
            "can't tell its service centre, refuses half of the settings, and leaves out the last OK",
            "on AT+CSCA?\n  < ERROR\non AT+CNMI=*\n  < ERROR\non AT+COPS?\n  < +CME ERROR: 30\non AT+CSMS=0\n  < ERROR\n"
                + sending("  prompt\n  < +CMGS: 41")
        ),
        (
            "gives errors in words and starts with a text entry open",
            "open\nentry echo\nescape OK\non AT+CSCA?\n  < +CME ERROR: SIM busy\non AT+CPIN?\n  < +CME ERROR: SIM busy\n"
                + sending(plainly)
        ),
    ]

    @Test(arguments: profiles.indices)
    func `loses nothing and doubles nothing`(index: Int) async throws {
        let (name, dialogue) = Self.profiles[index]
        var timing = GSMModem.Timing.impatient
        timing.submit = .seconds(2)
        timing.settle = .milliseconds(500)
        try await Rig.run(saying: dialogue, timing: timing) { rig in
            #expect(await rig.send("one") == .accepted(references: [41]), "\(name)")
            #expect(await rig.send("two") == .ambiguous, "\(name)")
            try rig.restart()
            #expect(await rig.send("two") == .accepted(references: [41]), "\(name)")
            try rig.restart()
            #expect(await rig.send("three") == .accepted(references: [41]), "\(name)")
            #expect(rig.payloads == (try ["one", "two", "two", "three"].map { try Rig.pdu(of: $0) }), "\(name)")
            #expect(rig.driver.health.alarms == [], "\(name)")
            #expect(rig.count("AT+CFUN=1,1") == 0, "\(name): \(rig.received)")
        }
    }
}
