import Enforcement
import Testing

@Suite("Ten minutes of a new version", .timeLimit(.minutes(1)))
struct UpdateTrialTests {
    private let began = Instant(milliseconds: 5_000_000)
    private var baseline = UpdateBaseline()

    init() {
        baseline.cameras = ["gate"]
        baseline.criticals = ["camera.yard"]
        baseline.passagesAnHour = 120
        baseline.lastPassageAt = Instant(milliseconds: 1000)
    }

    private func sample(
        pictures: Int = 5, passageAt: Int64 = 2000, _ change: (inout UpdateSample) -> Void = { _ in }
    ) -> UpdateSample {
        var sample = UpdateSample()
        sample.starts = 1
        sample.pictures = ["gate": pictures]
        sample.lastPassageAt = Instant(milliseconds: passageAt)
        change(&sample)
        return sample
    }

    /// A look each half minute.
    private func verdict(
        _ baseline: UpdateBaseline? = nil, minutes: Double = 30, _ sample: (Double) -> UpdateSample
    ) -> (UpdateTrial.Verdict, minute: Double)? {
        var trial = UpdateTrial(baseline ?? self.baseline, at: began)
        for half in 0...Int(minutes * 2) {
            let minute = Double(half) / 2
            if let verdict = trial.handle(sample(minute), at: began + .minutes(minute)) { return (verdict, minute) }
        }
        return nil
    }

    @Test func `are well when nothing became worse`() {
        let found = verdict { _ in sample { $0.criticals = ["camera.yard": "It gives no picture."] } }
        #expect(found?.0 == .well)
        #expect(found?.minute == 10)
    }

    @Test func `leave two minutes to come up`() {
        let found = verdict { minute in sample(pictures: minute < 1.5 ? 0 : 9) }
        #expect(found?.0 == .well)
        #expect(found?.minute == 10)
    }

    @Test func `are over after two minutes without what ran before`() {
        let blind = verdict { _ in sample(pictures: 0) }
        #expect(blind?.0 == .unwell("the camera gate gave pictures before and gives none"))
        #expect(blind?.minute == 2)
        let down = verdict { minute in sample { $0.isActive = minute < 5 } }
        #expect(down?.0 == .unwell("it does not run"))
        #expect(down?.minute == 7)
        #expect(verdict { _ in sample { $0.isTold = false } }?.0 == .unwell("it does not say how it is"))
        let alarm = verdict { _ in sample { $0.criticals = ["disk": "The disk is full."] } }
        #expect(alarm?.0 == .unwell("The disk is full."))
    }

    @Test func `count anew from each start`() {
        let found = verdict { minute in sample { $0.starts = minute < 6 ? 1 : 2 } }
        #expect(found?.0 == .well)
        #expect(found?.minute == 16)
    }

    @Test func `are not well when nothing was recorded on a road with vehicles`() {
        let found = verdict { _ in sample(passageAt: 1000) }
        #expect(found?.0 == .unwell("it recorded nothing, where about 20 vehicles pass in the time"))
        #expect(found?.minute == 10)
    }

    @Test func `take silence on a quiet road for what it is`() {
        var quiet = baseline
        quiet.passagesAnHour = 59
        #expect(verdict(quiet) { _ in sample(passageAt: 1000) }?.0 == .well)
        // Ten that are to be expected in the time are no chance any more.
        quiet.passagesAnHour = 60
        #expect(verdict(quiet) { _ in sample(passageAt: 1000) }?.0 != .well)
    }

    @Test func `are not well when they end in trouble`() {
        let found = verdict { minute in sample { $0.isActive = minute < 9.5 } }
        #expect(found?.0 == .unwell("it does not run"))
        #expect(found?.minute == 10)
    }

    @Test func `blame a self-test only for what the version before passed`() {
        let before = [SelfTestFinding("clock", .failed, "wrong"), SelfTestFinding("plate", .passed, "read")]
        #expect(UpdateSelfTest.worse(than: before, before) == nil)
        let after = [before[0], SelfTestFinding("plate", .failed, "Nothing was read.")]
        #expect(UpdateSelfTest.worse(than: before, after) == "its self-test fails: plate: Nothing was read.")
        #expect(UpdateSelfTest.worse(than: before, []) == "its self-test says nothing")
    }
}
