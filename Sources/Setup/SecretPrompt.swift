import Enforcement
import Foundation

/// Asks for a secret: at a terminal without showing it, otherwise as the next line of the standard input.
package enum SecretPrompt {
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    package static func ask(_ prompt: String) -> Secret? {
        guard isTerminal else { return line() }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return line() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Before the prompt: what is typed as soon as it is seen would be thrown away, or shown.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        FileHandle.standardError.write(Data(prompt.utf8))
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return line()
    }

    /// Asks for something that may be seen.
    package static func askOpenly(_ prompt: String) -> String? {
        FileHandle.standardError.write(Data(prompt.utf8))
        return readLine()
    }

    private static func line() -> Secret? { readLine().map { Secret($0) } }
}
