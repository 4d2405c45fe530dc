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

        /// The box stops. What was under way ends without an answer, and a text entry is left.
        case abandoned
    }

    package enum Action: Hashable, Sendable {
        case write([UInt8])
        case finished(ATResponse)
        case unsolicited(ATLine)

        /// The modem asked for a text that nobody is about to give it: a text entry was open, and was left.
        case strayPrompt
    }

    /// A longer line is garbage. The longest real one is a PDU of 2 × 176 digits.
    static let maximumLineLength = 2048

    /// More lines than this are not an answer: a list of 255 stored messages is the longest.
    static let maximumAnswerLines = 600

    /// A modem or a bridge that puts its prompt before everything is not answered for ever.
    static let maximumStrayPrompts = 3

    private static let escape = Action.write([0x1B])

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
    private var strayPrompts = 0

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
        case .abandoned: return isWaitingForPrompt ? [Self.escape] + close() : close()
        }
    }

    private var isWaitingForPrompt: Bool { phase == .awaitingPrompt }

    private var isAwaitingResult: Bool {
        if case .awaitingResult = phase { return true }
        return false
    }

    private mutating func start(_ command: ATCommand, at now: Uptime) -> [Action] {
        precondition(!isBusy, "A modem takes one command at a time")
        self.command = command
        header = nil
        phase = command.payload == nil ? .awaitingResult(payloadHandedOver: false) : .awaitingPrompt
        deadline = now + command.timeout
        return command.isEscape ? [Self.escape] : [.write(Array((command.text + "\r").utf8))]
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
        if command?.isEscape == true { return finish(.ok) }
        if command?.graceWithoutOK != nil, !lines.isEmpty { return finish(.ok) }
        // The prompt may only have been lost, and the text entry be open.
        let escape = isWaitingForPrompt ? [Self.escape] : []
        return escape + noAnswer()
    }

    private mutating func finish(_ result: ATResult, isNumeric: Bool = false) -> [Action] {
        defer {
            phase = .idle
            command = nil
            lines = []
            deadline = nil
            if header?.isAnswer == true { header = nil }
        }
        var response = ATResponse(result, lines)
        response.isNumeric = isNumeric
        return [.finished(response)]
    }

    // MARK: Bytes to lines

    private mutating func receive(_ bytes: [UInt8], at now: Uptime) -> [Action] {
        var actions: [Action] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                actions += endLine(at: now)
            case UInt8(ascii: ">") where buffer.isEmpty && header?.needsHex != false:
                actions += prompted(at: now)
            case 0, 0x1A, 0x1B:
                continue  // An echo of what ends a text entry.
            default:
                // White space at the start of a line is the rest of a prompt.
                if buffer.isEmpty, byte == UInt8(ascii: " ") { continue }
                if buffer.count >= Self.maximumLineLength { isOverlong = true } else { buffer.append(byte) }
            }
        }
        return actions
    }

    private mutating func prompted(at now: Uptime) -> [Action] {
        switch phase {
        case .awaitingPrompt: return handOver(at: now)
        case .awaitingResult(payloadHandedOver: true): return []  // Some show it twice.
        case .idle, .awaitingResult:
            guard strayPrompts < Self.maximumStrayPrompts else { return [] }
            strayPrompts += 1
            return [Self.escape, .strayPrompt]
        }
    }

    private mutating func handOver(at now: Uptime) -> [Action] {
        strayPrompts = 0
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
        let line = String(decoding: buffer, as: UTF8.self).trimmed
        return line.isEmpty ? [] : interpret(line, at: now)
    }

    // MARK: Lines to answers

    private mutating func interpret(_ line: String, at now: Uptime) -> [Action] {
        if isEcho(line) { return [] }
        guard let header else { return interpretAlone(line, at: now) }
        if !header.needsHex || Hex.octets(line) != nil {
            self.header = nil
            return deliver(ATLine(header.text, data: line), isAnswer: header.isAnswer, at: now)
        }
        // Something that nobody asked for may stand between a header and its data; what ends the answer or begins the next
        // line of it means that the data are lost, and the header counts for itself.
        guard endsHeader(line, isAnswer: header.isAnswer) else { return interpretAlone(line, at: now) }
        self.header = nil
        let alone = header.isAnswer ? deliver(ATLine(header.text), isAnswer: true, at: now) : []
        return alone + interpretAlone(line, at: now)
    }

    private func endsHeader(_ line: String, isAnswer: Bool) -> Bool {
        if ATResult(line: line) != nil || ATResult.restartSigns.contains(line) { return true }
        return Self.dataOfUnsolicited(line) != nil
            || isAnswer && command?.answerPrefix.map { line.hasPrefix($0) } == true
    }

    private mutating func interpretAlone(_ line: String, at now: Uptime) -> [Action] {
        if let result = ATResult(line: line) { return end(with: result) }
        if command?.understandsNumbers == true, let result = ATResult(number: line) {
            return finish(result, isNumeric: true)
        }
        if isBusy, ATResult.restartSigns.contains(line) {
            return finish(.restarted(payloadHandedOver: phase == .awaitingResult(payloadHandedOver: true)))
        }
        // A +CMGS before the payload belongs to an earlier text.
        let isAnswer = isAwaitingResult && command?.answerPrefix.map { line.hasPrefix($0) } == true
        if isAnswer, command?.answersHaveData == true {
            header = (line, true, true)
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
    }

    private mutating func end(with result: ATResult) -> [Action] {
        switch phase {
        case .idle: return []  // The late end of something that was given up.
        // Should it have been the late end of something else, the prompt still comes.
        case .awaitingPrompt: return [Self.escape] + finish(result == .ok ? .noPrompt : result)
        case .awaitingResult: return finish(result)
        }
    }

    /// Whether a line that nobody asked for is followed by data, and whether these are hexadecimal for certain.
    private static func dataOfUnsolicited(_ line: String) -> Bool? {
        if let rest = line.after("+CDS:") { return rest.allSatisfy(\.isASCIIDigit) ? true : nil }
        if line.hasPrefix("+CMT:") || line.hasPrefix("+CBM:") { return false }
        return nil
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
