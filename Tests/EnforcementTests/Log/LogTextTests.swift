import Enforcement
import Testing

@Suite("Text from outside in the log", .timeLimit(.minutes(5)))
struct LogTextTests {
    @Test(arguments: [
        ("a\nb", "a\\u{A}b"), ("\u{1B}[2J", "\\u{1B}[2J"), ("x\u{202E}gpj", "x\\u{202E}gpj"), ("\u{85}", "\\u{85}"),
        ("बा १ च १२३४ é", "बा १ च १२३४ é"),
    ])
    func `stays in its line and steers no terminal`(_ text: String, _ shown: String) {
        #expect(LogText.of(text) == shown)
    }

    @Test func `is bounded`() {
        #expect(LogText.of(String(repeating: "a", count: 500), limit: 10) == "aaaaaaaaaa…")
    }
}
