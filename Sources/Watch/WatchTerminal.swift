import Foundation

/// The terminal, key by key and without echo. It is put back as it was when this goes.
package final class WatchTerminal {
    private var before = termios()
    private var drawn: [String] = []

    /// Whether there is one to ask in.
    package static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Returns: nil when there is no terminal.
    package init?() {
        guard Self.isThere, tcgetattr(STDIN_FILENO, &before) == 0 else {
            return nil
        }
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        // A terminal that counts a letter's columns in another way must not begin a new line for it.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    deinit {
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws the lines that have changed.
    func draw(_ lines: [WatchScreen.Line]) {
        let texts = lines.map { line in
            switch line.style {
            case .plain: line.text
            case .dim: "\u{1B}[2m\(line.text)\u{1B}[0m"
            case .bright: "\u{1B}[1m\(line.text)\u{1B}[0m"
            case .loud: "\u{1B}[1;97;41m\(line.text)\u{1B}[0m"
            }
        }
        var out = texts.count == drawn.count ? "" : "\u{1B}[2J"
        for (row, text) in texts.enumerated() where out.hasPrefix("\u{1B}[2J") || drawn[row] != text {
            out += "\u{1B}[\(row + 1);1H\(text)\u{1B}[K"
        }
        drawn = texts
        write(out)
    }

    func bell() { write("\u{07}") }

    /// The size has changed: everything is drawn anew.
    func forget() { drawn = [] }

    /// Keys that were pressed within the time; none when it is over. Nil when the terminal is gone.
    func keys(within milliseconds: Int32) -> [WatchScreen.Key]? {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return Self.keys(Array(buffer[0..<count]))
    }

    static func keys(_ bytes: [UInt8]) -> [WatchScreen.Key] {
        var keys: [WatchScreen.Key] = []
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 27 where rest.first == "[" || rest.first == "O":
                rest.removeFirst()
                switch rest.popFirst() {
                case "A": keys.append(.up)
                case "B": keys.append(.down)
                default: rest = rest.drop { !$0.properties.isAlphabetic && $0 != "~" }.dropFirst()
                }
            case 27: keys.append(.escape)
            case 9: keys.append(.tab)
            case 13, 10: keys.append(.enter)
            case 8, 127: keys.append(.backspace)
            case 3: keys += [.escape, .escape, .character("q")]
            case 32...: keys.append(.character(Character(scalar)))
            default: break
            }
        }
        return keys
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
