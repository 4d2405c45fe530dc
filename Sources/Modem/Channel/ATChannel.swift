/// Turns bytes from a modem into answers and unsolicited lines, and commands into bytes. One command at a time.
///
/// A pure machine over any split of the bytes: echo on or off, lines that nobody asked for in between, garbage, results that
/// never come.
///
/// ```
/// channel.handle(.start(ATCommand("AT+CSQ", timeout: .seconds(5), answerPrefix: "+CSQ:")), at: now)
/// // [.write("AT+CSQ\r")]; later, with the bytes:
/// // [.finished(ATResponse(.ok, [ATLine("+CSQ: 20,99")]))]
/// ```
package struct ATChannel: Sendable {
    package enum Event: Hashable, Sendable {
        case start(ATCommand)
        case received([UInt8])
        case clockTicked

        /// The port is gone. What was under way ends without an answer.
        case closed
    }

    package enum Action: Hashable, Sendable {
        case write([UInt8])
        case finished(ATResponse)
        case unsolicited(ATLine)
    }

    /// A longer line is garbage. The longest real one is a PDU of 2 × 176 digits.
    static let maximumLineLength = 2048

    /// More lines than this are not an answer: a list of 255 stored messages is the longest.
    static let maximumAnswerLines = 600

    private enum Phase: Hashable, Sendable {
        case idle
        case awaitingPrompt
        case awaitingResult(payloadHandedOver: Bool)
    }

    private var phase = Phase.idle
    private var command: ATCommand?
    private var lines: [ATLine] = []
    private var buffer: [UInt8] = []
    private var isOverlong = false

    /// A line that waits for the line of its data, and whether it belongs to the answer.
    private var header: (text: String, isAnswer: Bool, needsHex: Bool)?

    /// When ``Event/clockTicked`` has to come at the latest; nil when nothing is waited for.
    package private(set) var deadline: Uptime?

    package init() {}

    package var isBusy: Bool { phase != .idle }

    package mutating func handle(_ event: Event, at now: Uptime) -> [Action] {
        switch event {
        case .start(let command): return start(command, at: now)
        case .received(let bytes): return receive(bytes, at: now)
        case .clockTicked: return checkDeadline(at: now)
        case .closed: return close()
        }
    }

    private var isAwaitingResult: Bool {
        if case .awaitingResult = phase { return true }
        return false
    }

    private mutating func start(_ command: ATCommand, at now: Uptime) -> [Action] {
        precondition(!isBusy, "A modem takes one command at a time")
        self.command = command
        lines = []
        header = nil
        phase = command.payload == nil ? .awaitingResult(payloadHandedOver: false) : .awaitingPrompt
        deadline = now + command.timeout
        return [.write(Array((command.text + "\r").utf8))]
    }

    private mutating func close() -> [Action] {
        buffer = []
        isOverlong = false
        return noAnswer()
    }

    private mutating func noAnswer() -> [Action] {
        switch phase {
        case .idle: return []
        case .awaitingPrompt: return finish(.noAnswer(payloadHandedOver: false))
        case .awaitingResult(let handedOver): return finish(.noAnswer(payloadHandedOver: handedOver))
        }
    }

    private mutating func checkDeadline(at now: Uptime) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        if command?.graceWithoutOK != nil, !lines.isEmpty { return finish(.ok) }
        // Escape leaves the modem's text entry, should the prompt only have been lost.
        let escape: [Action] = phase == .awaitingPrompt ? [.write([0x1B])] : []
        return escape + noAnswer()
    }

    private mutating func finish(_ result: ATResult) -> [Action] {
        defer {
            phase = .idle
            command = nil
            lines = []
            deadline = nil
            if header?.isAnswer == true { header = nil }
        }
        return [.finished(ATResponse(result, lines))]
    }

    // MARK: Bytes to lines

    private mutating func receive(_ bytes: [UInt8], at now: Uptime) -> [Action] {
        var actions: [Action] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                actions += endLine(at: now)
            case UInt8(ascii: ">") where phase == .awaitingPrompt && buffer.isEmpty:
                actions += handOver(at: now)
            case 0:
                continue
            default:
                // White space at the start of a line is the rest of a prompt.
                if buffer.isEmpty, byte == UInt8(ascii: " ") { continue }
                if buffer.count >= Self.maximumLineLength { isOverlong = true } else { buffer.append(byte) }
            }
        }
        return actions
    }

    private mutating func handOver(at now: Uptime) -> [Action] {
        guard let command, let payload = command.payload else { return [] }
        phase = .awaitingResult(payloadHandedOver: true)
        deadline = now + command.payloadTimeout
        return [.write(payload + [0x1A])]
    }

    private mutating func endLine(at now: Uptime) -> [Action] {
        defer {
            buffer = []
            isOverlong = false
        }
        guard !buffer.isEmpty, !isOverlong else { return [] }
        var line = String(decoding: buffer, as: UTF8.self).trimmed
        while line.hasPrefix(">") { line = String(line.dropFirst()).trimmed }
        return line.isEmpty ? [] : interpret(line, at: now)
    }

    // MARK: Lines to answers

    private mutating func interpret(_ line: String, at now: Uptime) -> [Action] {
        if isEcho(line) { return [] }
        if let actions = takeAsData(line, at: now) { return actions }
        if let result = ATResult(line: line) { return end(with: result) }
        // A +CMGS before the payload belongs to an earlier text.
        let isAnswer = isAwaitingResult && command?.answerPrefix.map { line.hasPrefix($0) } == true
        if isAnswer, command?.answersHaveData == true {
            header = (line, true, false)
            return []
        }
        if !isAnswer, let needsHex = Self.dataOfUnsolicited(line) {
            header = (line, false, needsHex)
            return []
        }
        return deliver(ATLine(line), isAnswer: isAnswer, at: now)
    }

    private func isEcho(_ line: String) -> Bool {
        guard let command else { return false }
        if line == command.text { return true }
        guard let payload = command.payload else { return false }
        return line == String(decoding: payload, as: UTF8.self)
            || line == String(decoding: payload + [0x1A], as: UTF8.self)
    }

    private mutating func end(with result: ATResult) -> [Action] {
        switch phase {
        case .idle: return []  // The late end of something that was given up.
        case .awaitingPrompt: return finish(result == .ok ? .noPrompt : result)
        case .awaitingResult: return finish(result)
        }
    }

    /// Whether a line that nobody asked for is followed by data, and whether these are hexadecimal for certain.
    private static func dataOfUnsolicited(_ line: String) -> Bool? {
        if let rest = line.after("+CDS:") { return rest.allSatisfy(\.isASCIIDigit) ? true : nil }
        if line.hasPrefix("+CMT:") || line.hasPrefix("+CBM:") { return false }
        return nil
    }

    /// Joins a header and its data. Data that should be hexadecimal and aren't got lost: the line counts for itself.
    private mutating func takeAsData(_ line: String, at now: Uptime) -> [Action]? {
        guard let header else { return nil }
        self.header = nil
        if header.needsHex, Hex.octets(line) == nil { return nil }
        return deliver(ATLine(header.text, data: line), isAnswer: header.isAnswer, at: now)
    }

    private mutating func deliver(_ line: ATLine, isAnswer: Bool, at now: Uptime) -> [Action] {
        guard isAnswer else { return [.unsolicited(line)] }
        if lines.count < Self.maximumAnswerLines { lines.append(line) }
        if let grace = command?.graceWithoutOK, let deadline { self.deadline = min(deadline, now + grace) }
        return []
    }
}

extension Character {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
