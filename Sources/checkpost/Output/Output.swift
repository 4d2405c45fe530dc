import Enforcement
import Foundation

/// What commands print: results to the standard output, everything else to the standard error.
enum Output {
    /// One JSON value on one line, keys in alphabetical order.
    static func printJSON(_ value: some Encodable) throws {
        print(String(decoding: try JSONEncoder.shown.encode(value), as: UTF8.self))
    }

    /// Columns of the terminal that the standard output is; nil when it is none.
    static let terminalWidth: Int? = {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }()

    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func decimal(_ value: Double, _ digits: Int = 1) -> String { Wording.decimal(value, digits) }

    /// As short as it is exact: `22`, `0.6`.
    static func number(_ value: Double) -> String { Wording.number(value) }

    /// `1 photo`, `3 photos`.
    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        Wording.count(count, one, many)
    }

    /// `1 h 07 min`, `42 min`, `12 s`.
    static func span(_ span: TimeSpan) -> String { Wording.span(span) }

    static func bytes(_ count: Int) -> String { Wording.bytes(count) }
}

extension TextTable {
    /// As wide as the terminal is.
    var text: String { text(within: Output.terminalWidth) }
    var body: String { body(within: Output.terminalWidth) }
}

/// Shows how far long work is, on the standard error: a line that renews itself on a terminal, one a tenth elsewhere.
struct Progress {
    private let label: String
    private let total: Int
    private var done = 0
    private var shown = -1
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ label: String, total: Int) {
        self.label = label
        self.total = total
    }

    mutating func advance(_ detail: String = "") {
        done += 1
        let tenth = total > 0 ? done * 10 / total : 0
        if isTerminal {
            let whole = total > 0 ? "\(done)/\(total)" : "\(done)"
            FileHandle.standardError.write(Data("\r\u{1B}[K\(label) \(whole) \(detail)".utf8))
        } else if total > 0, tenth > shown {
            shown = tenth
            Output.note("\(label) \(done)/\(total)")
        }
    }

    func finish() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
