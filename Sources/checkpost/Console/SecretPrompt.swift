import Foundation

/// Asks for a secret: at a terminal without showing it, otherwise as the next line of the standard input.
enum SecretPrompt {
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static func ask(_ prompt: String) -> String? {
        guard isTerminal else { return readLine() }
        FileHandle.standardError.write(Data(prompt.utf8))
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine()
    }
}
