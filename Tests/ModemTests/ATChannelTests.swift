import TestKit
import Testing

@testable import Modem

@Suite("An AT channel", .timeLimit(.minutes(10)))
struct ATChannelTests {
    private var channel = ATChannel()
    private let start = Uptime(milliseconds: 0)

    private func at(_ seconds: Int) -> Uptime { start + .seconds(seconds) }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private mutating func begin(_ command: ATCommand) {
        #expect(channel.handle(.start(command), at: start) == [.write(bytes(command.text + "\r"))])
    }

    private mutating func receive(_ text: String, atSecond second: Int = 0) -> [ATChannel.Action] {
        channel.handle(.received(bytes(text)), at: at(second))
    }

    private let signal = ATCommand("AT+CSQ", timeout: .seconds(5), answerPrefix: "+CSQ:")

    private func submit() -> ATCommand {
        var command = ATCommand("AT+CMGS=20", timeout: .seconds(5), answerPrefix: "+CMGS:")
        command.payload = bytes("0031AB")
        command.payloadTimeout = .seconds(60)
        return command
    }

    @Test mutating func `joins an answer and its OK`() {
        begin(signal)
        #expect(receive("\r\n+CSQ: 20,99\r\n") == [])
        #expect(receive("\r\nOK\r\n") == [.finished(ATResponse(.ok, [ATLine("+CSQ: 20,99")]))])
        #expect(!channel.isBusy && channel.deadline == nil)
    }

    @Test mutating func `gives the same for every split of the bytes`() {
        let stream = "AT+CSQ\r\r\n+CMTI: \"SM\",3\r\n\r\n+CSQ: 20,99\r\n\r\nOK\r\n"
        for split in 0...stream.utf8.count {
            channel = ATChannel()
            begin(signal)
            let actions = receive(String(stream.prefix(split))) + receive(String(stream.dropFirst(split)))
            #expect(
                actions == [
                    .unsolicited(ATLine("+CMTI: \"SM\",3")), .finished(ATResponse(.ok, [ATLine("+CSQ: 20,99")])),
                ])
        }
    }

    @Test(arguments: [
        ("ERROR", ATResult.error), ("COMMAND NOT SUPPORT", .error), ("+CME ERROR: 14", .equipmentError(14)),
        ("+CME ERROR: SIM busy", .equipmentError(14)), ("+CME ERROR: purple", .equipmentError(nil)),
        ("+CMS ERROR: 38", .messageError(38)), ("+CMS ERROR:332", .messageError(332)),
    ])
    func `ends with whatever error the modem has`(line: String, result: ATResult) {
        var channel = ATChannel()
        _ = channel.handle(.start(signal), at: start)
        #expect(channel.handle(.received(bytes("\r\n\(line)\r\n")), at: start) == [.finished(ATResponse(result))])
    }

    @Test mutating func `hands the payload over at the prompt, with Ctrl-Z`() {
        begin(submit())
        #expect(receive("\r\n> ") == [.write(bytes("0031AB\u{1A}"))])
        #expect(receive("0031AB\u{1A}\r\n+CREG: 1\r\n") == [.unsolicited(ATLine("+CREG: 1"))])
        #expect(
            receive("\r\n+CMGS: 41\r\n\r\nOK\r\n") == [.finished(ATResponse(.ok, [ATLine("+CMGS: 41")]))])
    }

    @Test mutating func `takes a prompt without a space, and one after an echo and a line that nobody asked for`() {
        begin(submit())
        #expect(
            receive("AT+CMGS=20\r\r\n^RSSI: 18\r\n>") == [
                .unsolicited(ATLine("^RSSI: 18")), .write(bytes("0031AB\u{1A}")),
            ])
    }

    @Test mutating func `knows that nothing was handed over when no prompt came, and leaves the text entry`() {
        begin(submit())
        #expect(channel.handle(.clockTicked, at: at(4)) == [])
        #expect(
            channel.handle(.clockTicked, at: at(5)) == [
                .write([0x1B]), .finished(ATResponse(.noAnswer(payloadHandedOver: false))),
            ])
    }

    @Test mutating func `knows that the payload was handed over when silence follows`() {
        begin(submit())
        _ = receive("> ", atSecond: 3)
        #expect(channel.deadline == at(63))
        #expect(channel.handle(.clockTicked, at: at(62)) == [])
        #expect(
            channel.handle(.clockTicked, at: at(63)) == [.finished(ATResponse(.noAnswer(payloadHandedOver: true)))])
    }

    @Test mutating func `calls an OK in place of the prompt what it is`() {
        begin(submit())
        #expect(receive("OK\r\n") == [.write([0x1B]), .finished(ATResponse(.noPrompt))])
        #expect(receive("\r\n> ") == [.write([0x1B]), .strayPrompt], "the prompt comes after all")
    }

    @Test mutating func `leaves a text entry that nobody waits for, and doesn't do so for ever`() {
        for _ in 0..<3 { #expect(receive("\r\n> ") == [.write([0x1B]), .strayPrompt]) }
        #expect(receive("\r\n> ") == [])
        begin(submit())
        #expect(receive("\r\n> ") == [.write(bytes("0031AB\u{1A}"))])
        #expect(receive("> ") == [], "some show the prompt twice")
    }

    @Test mutating func `leaves a text entry when the box stops before the prompt, and never ends one with Ctrl-Z`() {
        begin(submit())
        #expect(
            channel.handle(.abandoned, at: start) == [
                .write([0x1B]), .finished(ATResponse(.noAnswer(payloadHandedOver: false))),
            ])
    }

    @Test mutating func `takes an escape for done after any result, or after silence`() {
        let escape = ATCommand.escape(quiet: .seconds(1))
        #expect(channel.handle(.start(escape), at: start) == [.write([0x1B])])
        #expect(receive("\r\nOK\r\n") == [.finished(ATResponse(.ok))])
        _ = channel.handle(.start(escape), at: start)
        #expect(channel.handle(.clockTicked, at: at(1)) == [.finished(ATResponse(.ok))])
    }

    @Test(arguments: [("0", ATResult.ok), ("4", .error)])
    func `understands a modem that gives numbers, where it is asked to`(line: String, result: ATResult) {
        var channel = ATChannel()
        var attention = ATCommand("AT", timeout: .seconds(5))
        attention.understandsNumbers = true
        _ = channel.handle(.start(attention), at: start)
        var expected = ATResponse(result)
        expected.isNumeric = true
        #expect(channel.handle(.received(bytes("AT\r\(line)\r")), at: start) == [.finished(expected)])
        _ = channel.handle(.start(signal), at: start)
        #expect(channel.handle(.received(bytes("\(line)\r")), at: start) == [.unsolicited(ATLine(line))])
    }

    @Test mutating func `ends what is under way when the modem restarts, and tells whether it had the text`() {
        begin(submit())
        #expect(receive("RDY\r\n") == [.finished(ATResponse(.restarted(payloadHandedOver: false)))])
        begin(submit())
        _ = receive("> ")
        #expect(receive("\r\nRDY\r\n") == [.finished(ATResponse(.restarted(payloadHandedOver: true)))])
        #expect(receive("RDY\r\n") == [.unsolicited(ATLine("RDY"))])
    }

    @Test mutating func `takes a message's reference for its answer when the OK is left out`() {
        var command = submit()
        command.graceWithoutOK = .seconds(10)
        begin(command)
        _ = receive("> ")
        #expect(receive("\r\n+CMGS: 41\r\n", atSecond: 4) == [])
        #expect(channel.handle(.clockTicked, at: at(14)) == [.finished(ATResponse(.ok, [ATLine("+CMGS: 41")]))])
    }

    @Test mutating func `keeps a listed message and its data together, whatever comes between them`() {
        var command = ATCommand("AT+CMGL=4", timeout: .seconds(10), answerPrefix: "+CMGL:")
        command.answersHaveData = true
        begin(command)
        #expect(
            receive("+CMGL: 1,1,,23\r\n+CREG: 1\r\n0791AA\r\n+CMGL: 2,1,,23\r\nOK\r\n") == [
                .unsolicited(ATLine("+CREG: 1")),
                .finished(ATResponse(.ok, [ATLine("+CMGL: 1,1,,23", data: "0791AA"), ATLine("+CMGL: 2,1,,23")])),
            ], "lost data don't swallow the end")
    }

    @Test mutating func `tells on closing whether the payload was handed over`() {
        begin(submit())
        #expect(channel.handle(.closed, at: start) == [.finished(ATResponse(.noAnswer(payloadHandedOver: false)))])
        begin(submit())
        _ = receive("> ")
        #expect(channel.handle(.closed, at: start) == [.finished(ATResponse(.noAnswer(payloadHandedOver: true)))])
        #expect(channel.handle(.closed, at: start) == [])
    }

    @Test mutating func `does without the final OK where a modem leaves it out`() {
        var command = ATCommand("AT+CPIN?", timeout: .seconds(10), answerPrefix: "+CPIN:")
        command.graceWithoutOK = .seconds(2)
        begin(command)
        #expect(receive("+CPIN: READY\r\n", atSecond: 1) == [])
        #expect(
            channel.handle(.clockTicked, at: at(3)) == [.finished(ATResponse(.ok, [ATLine("+CPIN: READY")]))])
    }

    @Test mutating func `joins listed messages with their data`() {
        var command = ATCommand("AT+CMGL=4", timeout: .seconds(10), answerPrefix: "+CMGL:")
        command.answersHaveData = true
        begin(command)
        #expect(
            receive("+CMGL: 1,1,,23\r\n0791AA\r\n+CMGL: 2,1,,23\r\n0791BB\r\nOK\r\n") == [
                .finished(
                    ATResponse(
                        .ok, [ATLine("+CMGL: 1,1,,23", data: "0791AA"), ATLine("+CMGL: 2,1,,23", data: "0791BB")]))
            ])
    }

    @Test mutating func `joins a status report with its data in the midst of an answer`() {
        begin(signal)
        #expect(
            receive("+CSQ: 9,99\r\n+CDS: 25\r\n0006AB\r\nOK\r\n") == [
                .unsolicited(ATLine("+CDS: 25", data: "0006AB")), .finished(ATResponse(.ok, [ATLine("+CSQ: 9,99")])),
            ])
    }

    @Test mutating func `does not swallow a result when the data of a report are lost`() {
        begin(signal)
        #expect(receive("+CDS: 25\r\nOK\r\n") == [.finished(ATResponse(.ok))])
    }

    @Test mutating func `takes the text of a message for its data even when it says OK`() {
        begin(signal)
        #expect(
            receive("+CMT: \"+977\",,\"26/11/21\"\r\nOK\r\n+CSQ: 1,99\r\n") == [
                .unsolicited(ATLine("+CMT: \"+977\",,\"26/11/21\"", data: "OK"))
            ])
        #expect(channel.isBusy)
    }

    @Test mutating func `reads a report of text mode in one line`() {
        #expect(
            receive("+CDS: 6,41,\"+977\",145,\"\",\"\",0\r\n") == [
                .unsolicited(ATLine("+CDS: 6,41,\"+977\",145,\"\",\"\",0"))
            ])
    }

    @Test mutating func `drops a late OK, NULs and endless lines`() {
        #expect(receive("\r\nOK\r\n") == [])
        begin(signal)
        #expect(
            receive("\0\0" + String(repeating: "x", count: 10_000) + "\r\nO\0K\r\n") == [.finished(ATResponse(.ok))])
    }

    @Test mutating func `takes a line of 2048 bytes and none that is longer`() {
        let longest = "+CSQ: " + String(repeating: "x", count: 2042)
        begin(signal)
        #expect(receive(longest + "\r\nOK\r\n") == [.finished(ATResponse(.ok, [ATLine(longest)]))])
        begin(signal)
        #expect(receive(longest + "x\r\nOK\r\n") == [.finished(ATResponse(.ok))])
    }

    @Test func `splits values at commas outside quotes`() {
        #expect(ATLine("+COPS: 0,0,\"Nepal, Telecom\",7").values == ["0", "0", "Nepal, Telecom", "7"])
        #expect(ATLine("RDY").values == [])
    }

    @Test func `shows no PIN in a log`() {
        var command = ATCommand("AT+CPIN=\"1234\"", timeout: .seconds(1))
        command.isSecret = true
        #expect(command.loggedText == "AT+CPIN=…")
    }

    @Test func `ends every command once, whatever bytes come`() {
        var random = SeededGenerator(seed: 3)
        let pieces = [
            "\r\n", "OK\r\n", "> ", "+CDS: 25\r\n", "+CMT: x\r\n", "+CMGS: 4\r\n", "ERROR", "+CMS ERROR: 38\r\n",
            "\u{1A}",
            "0031AB", ">", "+CME ERROR: ", "\0",
        ].map { Array($0.utf8) }
        var finished = 0
        var now = start
        for _ in 0..<3000 {
            var channel = ATChannel()
            _ = channel.handle(.start(random.below(2) == 0 ? submit() : signal), at: now)
            var ends = 0
            for _ in 0..<20 {
                let chunk =
                    random.below(2) == 0 ? random.bytes(count: random.below(40)) : pieces[random.below(pieces.count)]
                for case .finished in channel.handle(.received(chunk), at: now) { ends += 1 }
                now = now + .milliseconds(random.below(2000))
                for case .finished in channel.handle(.clockTicked, at: now) { ends += 1 }
            }
            for case .finished in channel.handle(.closed, at: now) { ends += 1 }
            #expect(ends == 1)
            finished += ends
        }
        #expect(finished == 3000)
    }
}
