import Foundation
import Logging
import Testing

@testable import Appliance

@Suite("A line of the log", .timeLimit(.minutes(15)))
struct EscapedLogHandlerTests {
    private struct Failure: Error, CustomStringConvertible { let description: String }

    private let evil = "a.jpg\nERROR forged\u{1B}[2J\u{202E}x"
    private let shown = #"a.jpg\u{A}ERROR forged\u{1B}[2J\u{202E}x"#

    @Test func `is one line, whatever the message, its values and its error hold`() {
        let stream = LoggedText()
        var log = Logger(label: "test") { _ in EscapedLogHandler(LoggedText.Handler(text: stream)) }
        log[metadataKey: "camera"] = "\(evil)"
        log.warning("unreadable \(evil)", metadata: ["file": "\(evil)", "list": ["\(evil)"]])
        log.error("failed", error: Failure(description: evil))
        let lines = stream.said.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2, "\(stream.said)")
        #expect(lines.allSatisfy { $0.contains(shown) && !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
        // In the message, the file and the camera; the text in the list is quoted besides.
        #expect(lines.first?.components(separatedBy: shown).count == 4)
        #expect(lines.last?.contains("error=" + shown) == true)
    }
}
