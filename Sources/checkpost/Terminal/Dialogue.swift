import Enforcement
import Foundation

/// Asks questions on the terminal. Ends with an error when the answers end.
struct Dialogue {
    struct Ended: Error, CustomStringConvertible {
        let description = "The answers ended before setup was done. Nothing was written."
    }

    /// What stands behind a question when it is not answered.
    func ask(_ question: String, standard: String? = nil, check: (String) -> String? = { _ in nil }) throws -> String {
        while true {
            let hint = standard.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
            show("\(question)\(hint): ", newline: false)
            guard let line = readLine() else { throw Ended() }
            let typed = line.trimmingCharacters(in: .whitespaces)
            let answer = typed.isEmpty ? standard ?? "" : typed
            if typed.isEmpty, standard == nil {
                show("  An answer is needed.")
            } else if let problem = check(answer) {
                show("  \(problem)")
            } else {
                return answer
            }
        }
    }

    func number(_ question: String, standard: Double?, in range: ClosedRange<Double>) throws -> Double {
        let text = try ask(question, standard: standard.map { String($0) }) { answer in
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
    func secret(_ question: String) throws -> Secret {
        var settings = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &settings) == 0
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
        return Secret(try ask(question))
    }

    func show(_ text: String, newline: Bool = true) {
        FileHandle.standardOutput.write(Data((text + (newline ? "\n" : "")).utf8))
    }
}
