import Enforcement
import Testing

@Suite("Cycles that end early", .timeLimit(.minutes(1)))
struct CycleAlarmTests {
    @Test func `are an alarm when three of them followed each other`() {
        #expect(CycleAlarm(failures: ["a", "b", "c"]) == .raise(failure: "a"))
        #expect(CycleAlarm(failures: ["a", "b"]) == .leave)
        #expect(CycleAlarm(failures: ["a", "b", nil]) == .leave)
        #expect(CycleAlarm(failures: ["a", nil, "c"]) == .leave)
    }

    @Test func `are over with the first whole one`() {
        #expect(CycleAlarm(failures: [nil, "b", "c"]) == .clear)
        #expect(CycleAlarm(failures: [nil]) == .clear)
        #expect(CycleAlarm(failures: []) == .clear)
    }
}
