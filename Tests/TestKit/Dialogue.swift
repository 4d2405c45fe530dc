import Foundation

/// What a scripted modem says, written as text.
///
/// ```
/// # Comment.
/// chunk 3                    write three bytes at a time
/// echo                       echo until ATE0
/// start                      what the modem says when its port is opened first
///   < RDY
/// on AT+CPIN?                the answer to a command; a second block answers the second time, the last one stays
///   < +CPIN: READY
///   < OK
/// on AT+CMGS=*               `*` stands for any end
///   prompt                   asks for the payload, and goes on when it has come
///   < +CMGS: 41
/// otherwise                  the answer to everything else
///   < OK
/// ```
/// Before the first section: `open` (a text entry was left open), `entry echo` (what is typed into a text entry comes back, with a
/// prompt for each line), `escape ignored` (nothing but Ctrl-Z ends a text entry), `escape OK` (what an escape in a text entry is
/// answered with), `strict` (a line that doesn't begin with AT is no command), `numeric` (result codes are numbers until `ATV1`),
/// `ends cr` (lines end with a carriage return alone), `delay 20` (milliseconds before every answer).
///
/// Further lines of an answer: `prompt bare` (without the space), `flush` (what was typed so far is lost), `silence` (nothing),
/// `pause 50` (milliseconds), `storm 200` (that many unsolicited lines),
/// `garbage` (bytes of no meaning), `raw TEXT` (no line ends around it), `late TEXT` (a line as soon as the next command came),
/// `vanish 80` (the port goes away and comes back under another name after so many milliseconds).
package struct Dialogue: Sendable {
    /// What a modem says that has a SIM and a network.
    package static let ready = """
        on AT+CPIN?
          < +CPIN: READY
          < OK
        on AT+CREG?
          < +CREG: 0,1
          < OK
        on AT+CSQ
          < +CSQ: 17,99
          < OK

        """

    enum Act: Equatable, Sendable {
        case line(String)
        case raw(String)
        case prompt
        case silence
        case garbage
        case pause(Int)
        case storm(Int)
        case late(String)
        case vanish(Int)
        case barePrompt
        case flush
    }

    struct Rule: Sendable {
        var pattern: String
        var acts: [Act]

        func matches(_ command: String) -> Bool {
            pattern.hasSuffix("*") ? command.hasPrefix(pattern.dropLast()) : command == pattern
        }
    }

    package struct FormatError: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    var chunk = 64
    var echoes = false
    var startsInTextEntry = false
    var echoesTextEntry = false
    var ignoresEscape = false
    var escapeAnswer: String?
    var isStrict = false
    var isNumeric = false
    var endsWithReturn = false
    var delay = 0
    var greeting: [Act] = []
    var rules: [Rule] = []
    var fallback: [Act] = [.line("OK")]

    package init(text: String) throws {
        var section: String?
        for raw in text.split(separator: "\n", omittingEmptySubsequences: true) {
            let isAct = raw.hasPrefix(" ")
            let line = raw.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if isAct {
                guard let section else { throw FormatError(description: "A line of no answer: \(line)") }
                add(try Self.act(line), to: section)
                continue
            }
            section = line
            if line.hasPrefix("on ") {
                rules.append(Rule(pattern: String(line.dropFirst(3)), acts: []))
            } else if takeOption(line) {
                section = nil
            } else if line.hasPrefix("chunk "), let count = Int(line.dropFirst(6)) {
                chunk = count
            } else if line == "otherwise" {
                fallback = []
            } else if line != "start" {
                throw FormatError(description: "Not understood: \(line)")
            }
        }
    }

    /// - Returns: whether the line was one about the whole dialogue.
    private mutating func takeOption(_ line: String) -> Bool {
        switch line {
        case "echo": echoes = true
        case "open": startsInTextEntry = true
        case "entry echo": echoesTextEntry = true
        case "escape ignored": ignoresEscape = true
        case "escape OK": escapeAnswer = "OK"
        case "strict": isStrict = true
        case "numeric": isNumeric = true
        case "ends cr": endsWithReturn = true
        default:
            guard line.hasPrefix("delay "), let milliseconds = Int(line.dropFirst(6)) else { return false }
            delay = milliseconds
        }
        return true
    }

    private mutating func add(_ act: Act, to section: String) {
        switch section {
        case "start": greeting.append(act)
        case "otherwise": fallback.append(act)
        default: rules[rules.count - 1].acts.append(act)
        }
    }

    private static func act(_ line: String) throws -> Act {
        let words = line.split(separator: " ", maxSplits: 1)
        let rest = words.count > 1 ? String(words[1]) : ""
        switch String(words[0]) {
        case "<": return .line(rest)
        case "raw":
            return .raw(rest.replacingOccurrences(of: "\\r", with: "\r").replacingOccurrences(of: "\\n", with: "\n"))
        case "late": return .late(rest)
        case "prompt": return rest == "bare" ? .barePrompt : .prompt
        case "flush": return .flush
        case "silence": return .silence
        case "garbage": return .garbage
        case "pause": return .pause(Int(rest) ?? 0)
        case "storm": return .storm(Int(rest) ?? 0)
        case "vanish": return .vanish(Int(rest) ?? 0)
        default: throw FormatError(description: "Not understood: \(line)")
        }
    }
}
