import Testing

@testable import Enforcement

@Suite("The figures of a self-test", .timeLimit(.minutes(5)))
struct SelfTestRuleTests {
    private static let mebi = 1 << 20

    @Test(arguments: [(100, SelfTestFinding.Outcome.failed), (199, .failed), (200, .passed), (900, .passed)])
    func `memory fails when the next program would be ended`(megabytes: Int, outcome: SelfTestFinding.Outcome) {
        let finding = SelfTestRule.memory(freeBytes: megabytes * Self.mebi, allBytes: 2048 * Self.mebi)
        #expect(finding.outcome == outcome)
        #expect((finding.hint == nil) == (outcome != .failed), "what failed says what to do, and nothing else does")
    }

    @Test(arguments: [(84.9, SelfTestFinding.Outcome.passed), (85, .failed), (-20, .passed)])
    func `the box is too hot from 85 degrees on`(celsius: Double, outcome: SelfTestFinding.Outcome) {
        #expect(SelfTestRule.temperature(celsius: celsius).outcome == outcome)
    }

    @Test func `a disk is judged by its usual write and by its slowest`() {
        func judged(_ milliseconds: [Int64]) -> SelfTestFinding.Outcome {
            SelfTestRule.writes("database", milliseconds.map(TimeSpan.milliseconds)).outcome
        }
        #expect(judged([3, 4, 8, 5, 900]) == .passed, "one hiccup is none")
        #expect(judged([3, 4, 8, 5, 2100]) == .failed)
        #expect(judged([260, 270, 280, 251, 300]) == .failed)
        #expect(judged([]) == .failed)
    }

    @Test func `a card is called worn before it ends`() {
        let outcomes = [nil, 0, 1, 8, 9, 11].map { SelfTestRule.wear(tenths: $0).outcome }
        #expect(outcomes == [.absent, .absent, .passed, .passed, .failed, .failed])
    }

    @Test func `a clock that nobody keeps fails, and one of 1970 all the more`() {
        let now = Instant(seconds: 1_795_000_000)
        func clock(_ now: Instant, _ isSynchronised: Bool, _ verdict: HostClock.Verdict) -> SelfTestFinding {
            SelfTestRule.clock(now, isSynchronised: isSynchronised, verdict: verdict, hasBattery: false)
        }
        #expect(clock(now, true, .believed).outcome == .passed)
        #expect(clock(now, false, .unknown).outcome == .failed)
        let vouched = clock(now, false, .believed)
        #expect(
            vouched.outcome == .passed && vouched.detail.contains("right by the server"), "as its passages are judged")
        let wrong = clock(now, true, .contradicted(ahead: .minutes(7)))
        #expect(
            wrong.outcome == .failed && wrong.detail.contains("7 min") && wrong.detail.contains("ahead of the server"))
        let young = clock(Instant(seconds: 100), true, .believed)
        #expect(young.outcome == .failed && young.detail.contains("can't be"))
    }

    @Test func `a machine that doesn't tell is no failure`() {
        #expect(SelfTestRule.temperature(celsius: nil).outcome == .absent)
        #expect(SelfTestRule.memory(freeBytes: nil, allBytes: nil).outcome == .absent)
    }

    @Test func `a disk that can only be read, or is nearly full, fails`() {
        #expect(SelfTestRule.disk(freeBytes: 5 << 30, isReadOnly: false).outcome == .passed)
        #expect(SelfTestRule.disk(freeBytes: 5 << 30, isReadOnly: true).outcome == .failed)
        #expect(SelfTestRule.disk(freeBytes: 500 * Self.mebi, isReadOnly: false).outcome == .failed)
        #expect(SelfTestRule.disk(freeBytes: nil, isReadOnly: false).outcome == .failed)
    }
}
