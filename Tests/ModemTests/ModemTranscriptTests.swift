import Foundation
import TestKit
import Testing

@testable import Modem

@Suite("A modem through its worst weeks", .timeLimit(.minutes(10)))
struct ModemTranscriptTests {
    /// A post whose modem answers as it likes, and whose driver does what the machine says.
    private struct Post {
        var modem: GSMModem
        var random: SeededGenerator
        var lines: [String] = []
        var now = Uptime(milliseconds: 0)
        var texts: UInt64 = 0
        /// The command that waits for its answer.
        var command: ATCommand?
        var isOpening = false
        var storing: GSMModem.PINMemory?

        init(seed: UInt64, _ change: (inout GSMModem.Settings) -> Void) {
            var settings = GSMModem.Settings()
            change(&settings)
            modem = GSMModem(settings: settings)
            random = SeededGenerator(seed: seed)
        }

        mutating func run(_ steps: Int) {
            take(.started)
            for _ in 0..<steps { step() }
        }

        private mutating func step() {
            if let memory = storing {
                storing = nil
                return take(.pinMemoryStored(random.hundredths(90)), " \(memory)")
            }
            if isOpening, random.hundredths(80) {
                isOpening = false
                return take(
                    random.hundredths(75) ? .portOpened : .portFailed(random.one(of: [.missing, .unusable, .silent])))
            }
            if let command, random.hundredths(85) {
                self.command = nil
                now = now + .milliseconds(random.one(of: [20, 300, 2000]))
                return take(.answered(answer(command)), " \(command.loggedText)")
            }
            switch random.below(10) {
            case 0, 1:
                texts += 1
                let number = random.one(of: [Conversation.number, PhoneNumber(kind: .national, digits: "1415")])
                let text = random.one(of: ["V1|BNP-A|BA1CHA1234", "नमस्ते", String(repeating: "x", count: 161), "a^b", ""])
                take(.send(.init(id: texts, number: number, text: text)))
            case 2: take(.unsolicited(unsolicited()))
            case 3 where random.hundredths(30): take(.portClosed)
            case 3 where random.hundredths(30): take(.strayPrompt)
            default:
                if command == nil, let deadline = modem.deadline, deadline > now {
                    now = deadline + .milliseconds(random.one(of: [-1, 0, 0, 0]))
                } else {
                    now = now + .seconds(random.one(of: [1, 5, 60, 300]))
                }
                take(.clockTicked)
            }
        }

        private mutating func take(_ event: GSMModem.Event, _ about: String = "") {
            let actions = modem.handle(event, at: now)
            for action in actions {
                switch action {
                case .command(let command): self.command = command
                case .openPort: isOpening = true
                case .closePort: command = nil
                case .storePINMemory(let memory): storing = memory
                default: break
                }
            }
            if case .portClosed = event { command = nil }
            if case .portClosed = event { storing = nil }
            let shown = actions.map(text).joined(separator: "; ")
            let deadline = modem.deadline.map { "\($0.milliseconds)" } ?? "-"
            lines.append("\(now.milliseconds)\(about) \(text(event)): \(shown) | rung \(modem.rung), next \(deadline)")
        }

        private mutating func answer(_ command: ATCommand) -> ATResponse {
            switch random.below(100) {
            case 0...5: return ATResponse(.noAnswer(payloadHandedOver: command.payload != nil && random.hundredths(50)))
            case 6, 7: return ATResponse(.restarted(payloadHandedOver: command.payload != nil && random.hundredths(50)))
            case 8...11: return ATResponse(.error)
            default: break
            }
            func ok(_ lines: String...) -> ATResponse { ATResponse(.ok, lines.map { ATLine($0) }) }
            switch command.text.split(whereSeparator: { "=?".contains($0) }).first.map(String.init) ?? "" {
            case "AT":
                var response = ok()
                response.isNumeric = random.hundredths(10)
                return response
            case "AT+CFUN":
                return random.one(of: [ok("+CFUN: 1"), ok("+CFUN: 1"), ok("+CFUN: 0"), ok("+CFUN: 4"), ok()])
            case "AT+CPIN":
                let state = random.one(of: [
                    "READY", "READY", "READY", "READY", "SIM PIN", "SIM PUK", "PH-SIM PIN", "NOT INSERTED", "SIM PIN2",
                ])
                let codes = [10, 11, 12, 13, 14, 15, 16]
                return random.one(of: [
                    ok("+CPIN: \(state)"), ok("+CPIN: \(state)"), ok("+CPIN: \(state)"), ok(),
                    ATResponse(.equipmentError(random.one(of: codes))),
                    ATResponse(.messageError(300 + random.one(of: codes))),
                ])
            case "AT+CPINR":
                return random.one(of: [
                    ok("+CPINR: SIM PIN,3,3"), ok("+CPINR: SIM PIN,2,3"), ok("+CPINR: SIM PIN,4,3"), ok(),
                ])
            case "AT+CREG", "AT+CEREG":
                let status = random.one(of: [1, 1, 1, 1, 5, 5, 0, 2, 3, 4, 8])
                return random.one(of: [
                    ok("+CREG: 0,\(status)"), ok("+CREG: \(status)"), ok("+CREG: \(status),\"1\",\"2\""), ok(),
                ])
            case "AT+CSQ": return ok("+CSQ: \(random.one(of: [0, 1, 20, 31, 32, 99])),99")
            case "AT+COPS":
                return random.one(of: [ok("+COPS: 0,0,\"NTC\""), ok("+COPS: 0"), ok("+COPS: 0,0,\"NTC\",7")])
            case "AT+CSCA":
                return random.one(of: [
                    ok("+CSCA: \"+9779800000\",145"), ok("+CSCA: \"+9779800000\",145"), ok("+CSCA: \"\",129"), ok(),
                    ok("+CSCA: \"002B003900370037\",145"), ATResponse(.messageError(302)),
                ])
            case "AT+CMGF": return random.one(of: [ok(), ok(), ok(), ok(), ok(), ATResponse(.error)])
            case "AT+CMGS":
                let code = random.one(of: [38, 42, 310, 313, 322, 330, 331, 500])
                return random.one(of: [
                    ok("+CMGS: 41"), ok("+CMGS: 42"), ok("+CMGS: 300"), ok(), ATResponse(.messageError(code)),
                    ATResponse(.equipmentError(14)), ATResponse(.noPrompt),
                ])
            case "AT+CMGL", "AT+CMGR":
                // A text from +27838890001, as every handbook of the coding shows it.
                let text = "07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07"
                let line = ATLine("+CMGL: \(random.one(of: [1, 7])),1,,30", data: random.one(of: [text, "00", nil]))
                return ATResponse(.ok, random.hundredths(50) ? [line] : [])
            case "AT+CUSD", "AT+CNMI", "AT+CSMP", "AT+CSCS", "AT+CPMS":
                return random.one(of: [ok(), ok(), ATResponse(.error), ATResponse(.equipmentError(11))])
            default: return ok()
            }
        }

        private mutating func unsolicited() -> ATLine {
            random.one(of: [
                ATLine("+CMTI: \"SM\",3"), ATLine("+CMTI: \"SM\",10000"), ATLine("+CMTI: \"ABCDE\",3"),
                ATLine("+CMTI: \"S1\",3"),
                ATLine("+CDS: 6,41,\"+9779812345678\",145,\"x\",\"y\",0"), ATLine("+CDS: 6,41"),
                ATLine("+CDS: 25", data: "00"),
                ATLine("+CMGS: 7"), ATLine("+CUSD: 0,\"Rs 35\",15"), ATLine("+CUSD: 0"), ATLine("RDY"), ATLine("RING"),
                ATLine("+CPIN: NOT READY"), ATLine("+CMT: ,30", data: "00"),
                ATLine("+CUSD: 0,\"00520073002000350030\",72"),
            ])
        }

        private func text(_ event: GSMModem.Event) -> String {
            switch event {
            case .answered(let response):
                "\(response.result)".prefix { $0 != " " } + " " + response.lines.map(\.text).joined(separator: "⏎")
                    + (response.isNumeric ? " in numbers" : "")
            case .unsolicited(let line): line.text
            case .send(let text): "send \(text.id) to \(text.number) “\(text.text.prefix(12))”"
            default: "\(event)".replacing("Modem.", with: "")
            }
        }

        private func text(_ action: GSMModem.Action) -> String {
            switch action {
            case .command(let command):
                let grace = command.graceWithoutOK.map { " grace \($0.wholeMilliseconds)" } ?? ""
                let payload =
                    command.payload.map {
                        " <\(String(decoding: $0.prefix(40), as: UTF8.self))> \(command.payloadTimeout.wholeMilliseconds)"
                    } ?? ""
                return "\(command.loggedText) \(command.timeout.wholeMilliseconds)\(grace)\(payload)"
                    + (command.answersHaveData ? " data" : "") + (command.understandsNumbers ? " numbers" : "")
            case .health(let health):
                let alarms = health.alarms.map { "\($0)" }.sorted().joined(separator: " ")
                return
                    "health \(health.stage) \(health.sim) \(health.registration) \(health.signalDBm ?? 0) \(health.operatorName ?? "-") "
                    + "\(health.serviceCentre ?? "-") \(health.usesTextMode ? "text" : "PDU") \(health.messageCount) [\(alarms)]"
            default: return "\(action)".replacing("Modem.", with: "").replacing("GSMModem.", with: "")
            }
        }
    }

    @Test(arguments: [1, 2, 3])
    func `does what its transcript says`(seed: UInt64) throws {
        var post = Post(seed: seed) { settings in
            settings.pin = seed == 1 ? "1234" : nil
            settings.canCyclePower = seed == 2
            settings.allowsRoaming = seed != 3
            settings.balanceCode = seed == 1 ? nil : "*400#"
            settings.takesMessages = seed != 3
            settings.serviceCentre = seed == 2 ? Conversation.number : nil
            settings.wantsReports = seed != 2
        }
        post.run(1500)
        #expect(try TranscriptFile.difference(of: post.lines, from: "modem-\(seed)") == nil)
    }

    /// Lines, prompts and garbage in any order and in any split, with the clock at the channel's own deadlines.
    @Test func `is listened to as the transcript of its channel says`() throws {
        var random = SeededGenerator(seed: 4)
        var channel = ATChannel()
        var lines: [String] = []
        var now = Uptime(milliseconds: 0)
        let words = [
            "OK\r\n", "OK\r\n", "ERROR\r\n", "\r\n", "+CSQ: 20,99\r\n", "+CMGL: 1,1,,23\r\n", "0791AB\r\n",
            "+CDS: 25\r\n", "+CMGS: 41\r\n",
            "> ", "\r\n> ", "+CME ERROR: 14\r\n", "+CMS ERROR: 38\r\n", "RDY\r\n", "RING\r\n", "0\r", "4\r\n",
            "AT+CSQ\r", "\0\u{7F}",
            "+CMTI: \"SM\",3\r\n", "AT+CMGS=30\r\r\n> ", "NORMAL POWER DOWN\r\n", "+CPIN: READY\r\n", "x",
            "+CMT: ,23\r\n", "A1B2\r\n",
        ]
        for _ in 0..<2500 {
            let before = "\(now.milliseconds)"
            let event: ATChannel.Event
            var shown = ""
            if !channel.isBusy, random.hundredths(60) {
                var command = random.one(of: [
                    ATCommand("AT+CSQ", timeout: .seconds(5), answerPrefix: "+CSQ:"),
                    ATCommand("AT+CMGL=4", timeout: .seconds(5), answerPrefix: "+CMGL:"),
                    ATCommand("AT+CMGS=30", timeout: .seconds(5), answerPrefix: "+CMGS:"),
                    ATCommand("AT", timeout: .seconds(5)),
                    .escape(quiet: .milliseconds(300)),
                    ATCommand("AT+CPIN?", timeout: .seconds(5), answerPrefix: "+CPIN:"),
                ])
                command.answersHaveData = command.text == "AT+CMGL=4"
                if command.text == "AT+CMGS=30" { command.payload = [0x41] }
                if ["AT+CMGS=30", "AT+CPIN?"].contains(command.text) { command.graceWithoutOK = .seconds(2) }
                command.understandsNumbers = command.text == "AT" && random.hundredths(50)
                event = .start(command)
                shown = command.text + (command.understandsNumbers ? " numbers" : "")
            } else if random.hundredths(75) {
                let word = random.one(of: words)
                let bytes = random.hundredths(80) ? Array(word.utf8) : Array(word.utf8.prefix(word.utf8.count / 2))
                event = .received(bytes)
                shown = "“\(String(decoding: bytes, as: UTF8.self).debugDescription)”"
            } else if random.hundredths(90) {
                if let deadline = channel.deadline, random.hundredths(70) {
                    now = max(now, deadline + .milliseconds(random.one(of: [-1, 0, 0])))
                } else {
                    now = now + .milliseconds(random.one(of: [10, 299, 300, 1000, 5000]))
                }
                event = .clockTicked
                shown = "tick \(now.milliseconds)"
            } else {
                event = random.one(of: [.closed, .abandoned])
                shown = "\(event)"
            }
            let actions = channel.handle(event, at: now).map(text).joined(separator: "; ")
            let deadline = channel.deadline.map { "\($0.milliseconds)" } ?? "-"
            lines.append("\(before) \(shown): \(actions) | \(channel.isBusy) \(deadline)")
        }
        #expect(try TranscriptFile.difference(of: lines, from: "modem-channel") == nil)
    }

    private func text(_ action: ATChannel.Action) -> String {
        func shown(_ line: ATLine) -> String {
            line.text.debugDescription + (line.data.map { " data \($0.debugDescription)" } ?? "")
        }
        switch action {
        case .write(let bytes): return "write \(String(decoding: bytes, as: UTF8.self).debugDescription)"
        case .finished(let response):
            return
                "\(response.result) [\(response.lines.map(shown).joined(separator: ", "))]\(response.isNumeric ? " numbers" : "")"
        case .unsolicited(let line): return "unsolicited \(shown(line))"
        case .strayPrompt: return "stray prompt"
        }
    }
}
