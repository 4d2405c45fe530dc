import Enforcement
import Testing

@Suite("What a sentence ends with", .timeLimit(.minutes(1)))
struct SentenceTests {
    @Test func `is one full stop, whether what is told has it or not`() {
        #expect(String(sentence: "The disk is full") == "The disk is full.")
        #expect(
            String(sentence: AdvisedError("The disk is full.", hint: "Free space.")) == "The disk is full. Free space.")
    }
}
