import Enforcement
import Foundation

/// Asks questions on the terminal, and can go back to an earlier one.
///
/// Going back begins the questions anew and answers them by itself, in silence, up to the one that was meant: whoever asks stays a plain
/// sequence of questions.
package final class Dialogue {
    /// The answers ended.
    package struct Ended: Error {}

    /// Somebody wants the question before.
    package struct Back: Error {}

    package static let back = "<"

    private enum Given {
        case answer(String)
        /// What a trial came to: it is not made again on the way back.
        case event(Int32)
    }

    private var given: [Given] = []
    private var position = 0

    package init() {}

    private var isRepeating: Bool { position < given.count }

    /// Begins with the first question again, without the last answer.
    package func goBack() {
        while case .event? = given.last { given.removeLast() }
        _ = given.popLast()
        position = 0
    }

    /// Asks until the answer can be.
    ///
    /// - Parameters:
    ///   - standard: what an empty answer stands for; nil when one is needed.
    ///   - shown: what stands in brackets instead of it.
    func ask(
        _ question: String, standard: String? = nil, shown: String? = nil, check: (String) -> String? = { _ in nil }
    ) throws -> String {
        if isRepeating, case .answer(let answer) = given[position] {
            position += 1
            return answer
        }
        while true {
            let hint = (shown ?? standard).map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
            show("\(question)\(hint): ", newline: false)
            guard let line = readLine() else { throw Ended() }
            let typed = line.trimmingCharacters(in: .whitespaces)
            if typed == Self.back {
                if !given.isEmpty { throw Back() }
                show("  This is the first question.")
                continue
            }
            let answer = typed.isEmpty ? standard ?? "" : typed
            if typed.isEmpty, standard == nil {
                show("  An answer is needed.")
            } else if let problem = check(answer) {
                show("  \(problem)")
            } else {
                given.append(.answer(answer))
                position = given.count
                return answer
            }
        }
    }

    func number(_ question: String, standard: Double?, in range: ClosedRange<Double>) throws -> Double {
        let text = try ask(question, standard: standard.map { Wording.number($0) }) { answer in
            Double(answer).map(range.contains) == true
                ? nil : "This is to be a number from \(range.lowerBound) to \(range.upperBound)."
        }
        return Double(text) ?? range.lowerBound
    }

    func choose(_ question: String, _ choices: [String], standard: String) throws -> String {
        try ask("\(question) (\(choices.joined(separator: ", ")))", standard: standard) { answer in
            choices.contains(answer) ? nil : "One of \(choices.joined(separator: ", "))."
        }
    }

    func confirm(_ question: String, standard: Bool) throws -> Bool {
        let answer = try ask("\(question) (yes, no)", standard: standard ? "yes" : "no") { answer in
            ["yes", "y", "no", "n"].contains(answer.lowercased()) ? nil : "yes or no."
        }
        return answer.lowercased().hasPrefix("y")
    }

    /// Asks without showing what is typed, when there is a terminal.
    ///
    /// - Parameter stands: one was given before, and an empty answer keeps it.
    /// - Returns: nil when it is kept.
    func secret(_ question: String, stands: Bool) throws -> Secret? {
        var settings = termios()
        let isTerminal = !isRepeating && tcgetattr(STDIN_FILENO, &settings) == 0
        if isTerminal {
            var hidden = settings
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        }
        defer {
            if isTerminal {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
                show("")
            }
        }
        let answer = try ask(question, standard: stands ? "" : nil, shown: stands ? "as it stands" : nil)
        return answer.isEmpty ? nil : Secret(answer)
    }

    /// Does something whose outcome belongs to the conversation, once.
    func once(_ work: () throws -> Int32) throws -> Int32 {
        if isRepeating, case .event(let outcome) = given[position] {
            position += 1
            return outcome
        }
        let outcome = try work()
        given.append(.event(outcome))
        position = given.count
        return outcome
    }

    /// Says something, but on the way back.
    package func show(_ text: String, newline: Bool = true) {
        guard !isRepeating else { return }
        FileHandle.standardOutput.write(Data((text + (newline ? "\n" : "")).utf8))
    }
}
