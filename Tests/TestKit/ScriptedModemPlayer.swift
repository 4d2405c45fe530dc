import Foundation
import Glibc

/// The modem's side of the pseudo-terminal, on its own thread.
struct ScriptedModemPlayer {
    let dialogue: Dialogue
    let path: String
    private var used: [Int] = []
    private var echoes: Bool
    private var isNumeric: Bool
    private var master: Int32 = -1
    private var late: [String] = []
    private var input: [UInt8] = []

    /// What is still to say when the payload has come; nil outside a text entry.
    private var afterPayload: [Dialogue.Act]?

    /// What stands in the text entry.
    private var entry: [UInt8] = []

    init(dialogue: Dialogue, path: String) {
        self.dialogue = dialogue
        self.path = path
        echoes = dialogue.echoes
        isNumeric = dialogue.isNumeric
        // What somebody else began: ended with Ctrl-Z, it would look like a text that went out.
        if dialogue.startsInTextEntry { afterPayload = [.line("+CMGS: 99"), .line("OK")] }
    }

    /// Opens a pseudo-terminal and lets the link point to it.
    func plugIn() throws -> Int32 {
        let terminal = try PseudoTerminal()
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: terminal.path)
        return terminal.master
    }

    mutating func play(on master: Int32, mustStop: () -> Bool, note: (String) -> Void) {
        self.master = master
        defer { close(self.master) }
        var hasGreeted = false
        while !mustStop() {
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = read(self.master, &bytes, bytes.count)
            guard count > 0 else {
                usleep(1000)  // Nobody has opened the other side, or nothing is there yet.
                continue
            }
            if !hasGreeted {
                hasGreeted = true
                perform(dialogue.greeting)
            }
            input += bytes.prefix(count)
            takeInput(note)
        }
    }

    private mutating func takeInput(_ note: (String) -> Void) {
        while true {
            if let rest = afterPayload {
                let end = input.firstIndex { $0 == 0x1A || $0 == 0x1B && !dialogue.ignoresEscape }
                type(input[..<(end ?? input.count)])
                guard let end else { return input.removeAll() }
                let payload = String(decoding: entry, as: UTF8.self)
                let isEscaped = input[end] == 0x1B
                input.removeSubrange(...end)
                entry = []
                afterPayload = nil
                note(isEscaped ? "ESC" : payload)
                if echoes, !dialogue.echoesTextEntry { say(payload) }
                if isEscaped { dialogue.escapeAnswer.map(sayLine) } else { perform(rest) }
            } else {
                guard let end = input.firstIndex(of: UInt8(ascii: "\r")) else { return }
                // An escape outside a text entry does nothing, or stands in the line.
                let line = input[..<end].filter { $0 != 0x1B || dialogue.isStrict }
                let command = String(decoding: line, as: UTF8.self)
                input.removeSubrange(...end)
                note(command)
                if dialogue.isStrict, !command.hasPrefix("AT") { continue }
                answer(command)
            }
        }
    }

    private mutating func type(_ bytes: ArraySlice<UInt8>) {
        entry += bytes
        guard dialogue.echoesTextEntry else { return }
        for byte in bytes {
            write([byte])
            if byte == UInt8(ascii: "\r") { say("\n> ") }
        }
    }

    private mutating func answer(_ command: String) {
        if echoes { say(command + "\r") }
        let due = late
        late = []
        perform(due.map { .line($0) })
        // As long as the script says.
        if dialogue.delay > 0 { usleep(UInt32(dialogue.delay) * 1000) }
        if command == "ATE0" { echoes = false }
        if command == "ATV1" || command == "ATQ0V1" { isNumeric = false }
        let fitting = dialogue.rules.indices.filter { dialogue.rules[$0].matches(command) }
        guard let index = fitting.first(where: { !used.contains($0) }) ?? fitting.last else {
            return perform(dialogue.fallback)
        }
        used.append(index)
        perform(dialogue.rules[index].acts)
    }

    private mutating func perform(_ acts: [Dialogue.Act]) {
        for (index, act) in acts.enumerated() {
            switch act {
            case .line(let text): sayLine(text)
            case .raw(let text): say(text)
            case .silence: break
            case .garbage: write([0x00, 0xFF, 0x80, 0x13, 0x7E, 0x0A, 0xC3, 0x28, 0x0D, 0x0A])
            case .pause(let milliseconds): usleep(UInt32(milliseconds) * 1000)
            case .storm(let count):
                for number in 0..<count { say("\r\n^RSSI: \(number % 32)\r\n+CREG: 1\r\n") }
            case .late(let text): late.append(text)
            case .flush:
                var bytes = [UInt8](repeating: 0, count: 512)
                while read(master, &bytes, bytes.count) > 0 {}
                input = []
            case .prompt, .barePrompt:
                say(act == .prompt ? "\r\n> " : "\r\n>")
                afterPayload = Array(acts.dropFirst(index + 1))
                return
            case .vanish(let milliseconds): return vanish(milliseconds)
            }
        }
    }

    private mutating func vanish(_ milliseconds: Int) {
        unlink(path)
        close(master)
        input = []
        // As long as the script says.
        usleep(UInt32(milliseconds) * 1000)
        if let again = try? plugIn() { master = again }
    }

    private func sayLine(_ text: String) {
        if isNumeric, let number = ["OK": "0", "ERROR": "4"][text] { return say("\(number)\r") }
        let end = dialogue.endsWithReturn ? "\r" : "\r\n"
        say(isNumeric ? text + end : end + text + end)
    }

    private func say(_ text: String) { write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        var patience = 2000
        while !rest.isEmpty, patience > 0 {
            let piece = Array(rest.prefix(dialogue.chunk))
            let count = Glibc.write(master, piece, piece.count)
            if count > 0 { rest = rest.dropFirst(count) } else { patience -= 1 }
            // Lets the other side read between chunks.
            if dialogue.chunk < 64 || count <= 0 { usleep(200) }
        }
    }
}
