import Foundation
import Glibc
import Synchronization

/// Plays a dialogue on a real pseudo-terminal. `path` is a link to it, as `/dev/serial/by-id` has one to a stick's port.
package final class ScriptedModem: Sendable {
    private struct Shared {
        package var received: [String] = []
        var mustStop = false
    }

    private let shared = Mutex(Shared())
    private let finished = DispatchSemaphore(value: 0)
    private let onReceive: @Sendable (String) -> Void
    package let directory: URL
    package let path: String

    /// - Parameter onReceive: called with each command and payload before the modem answers it, on the modem's thread.
    package init(_ dialogue: Dialogue, onReceive: @escaping @Sendable (String) -> Void = { _ in }) throws {
        self.onReceive = onReceive
        directory = FileManager.default.temporaryDirectory.appending(path: "modem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appending(path: "usb-modem-if00").path
        let player = Player(dialogue: dialogue, path: path)
        let master = try player.plugIn()
        let thread = Thread { [self] in
            var player = player
            player.play(on: master, mustStop: { self.shared.withLock { $0.mustStop } }) { command in
                self.shared.withLock { $0.received.append(command) }
                self.onReceive(command)
            }
            finished.signal()
        }
        thread.start()
    }

    /// What came, in order: commands without their ends, payloads without Ctrl-Z.
    package var received: [String] { shared.withLock { $0.received } }

    package func stop() {
        shared.withLock { $0.mustStop = true }
        finished.wait()
        try? FileManager.default.removeItem(at: directory)
    }
}

/// The modem's side of the pseudo-terminal, on its own thread.
private struct Player {
    let dialogue: Dialogue
    let path: String
    private var used: [Int] = []
    private var echoes: Bool
    private var master: Int32 = -1
    private var late: [String] = []
    private var input: [UInt8] = []

    /// What is still to say when the payload has come; nil outside a text entry.
    private var afterPayload: [Dialogue.Act]?

    init(dialogue: Dialogue, path: String) {
        self.dialogue = dialogue
        self.path = path
        echoes = dialogue.echoes
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
                guard let end = input.firstIndex(where: { $0 == 0x1A || $0 == 0x1B }) else { return }
                let payload = String(decoding: input[..<end], as: UTF8.self)
                let isEscaped = input[end] == 0x1B
                input.removeSubrange(...end)
                afterPayload = nil
                note(isEscaped ? "ESC" : payload)
                if echoes { say(payload) }
                if !isEscaped { perform(rest) }
            } else {
                guard let end = input.firstIndex(of: UInt8(ascii: "\r")) else { return }
                // An escape outside a text entry does nothing.
                let command = String(decoding: input[..<end].filter { $0 != 0x1B }, as: UTF8.self)
                input.removeSubrange(...end)
                note(command)
                answer(command)
            }
        }
    }

    private mutating func answer(_ command: String) {
        if echoes { say(command + "\r") }
        let due = late
        late = []
        perform(due.map { .line($0) })
        if command == "ATE0" { echoes = false }
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
            case .line(let text): say("\r\n\(text)\r\n")
            case .raw(let text): say(text)
            case .silence: break
            case .garbage: write([0x00, 0xFF, 0x80, 0x13, 0x7E, 0x0A, 0xC3, 0x28, 0x0D, 0x0A])
            case .pause(let milliseconds): usleep(UInt32(milliseconds) * 1000)
            case .storm(let count):
                for number in 0..<count { say("\r\n^RSSI: \(number % 32)\r\n+CREG: 1\r\n") }
            case .late(let text): late.append(text)
            case .prompt:
                say("\r\n> ")
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
        usleep(UInt32(milliseconds) * 1000)
        if let again = try? plugIn() { master = again }
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
