import Enforcement
import Testing

@Suite("An outcome", .timeLimit(.minutes(1)))
struct OutcomeTests {
    private func outcome(at hours: Double, _ kind: Outcome.Kind = .warned) -> Outcome {
        Outcome(kind: kind, recordedBy: "maya", recordedAt: Instant(milliseconds: Int64(hours * 3_600_000)))
    }

    @Test func `can be changed for 24 hours, counted from the first one`() {
        #expect(Outcome.changeableUntil([]) == nil)
        #expect(Outcome.changeableUntil([outcome(at: 1)]) == Instant(milliseconds: 25 * 3_600_000))
        // The newest stands first, and gives no more time.
        #expect(Outcome.changeableUntil([outcome(at: 20), outcome(at: 1)]) == Instant(milliseconds: 25 * 3_600_000))
    }

    @Test func `is another version with each that is recorded`() {
        #expect(Outcome.version(of: []) == "0")
        let versions = [[outcome(at: 1)], [outcome(at: 1, .fined), outcome(at: 1)], [outcome(at: 2), outcome(at: 1)]]
            .map(Outcome.version)
        #expect(Set(versions).count == 3)
    }
}
