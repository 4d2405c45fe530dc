import Enforcement
import Testing

@Suite("The clock of a camera", .timeLimit(.minutes(5)))
struct FrameClockTests {
    private static let start = Instant(milliseconds: 1_800_000_000_000)
    private let host = BootClock(boot: "run", startedAt: start)

    private let now = Self.start + .hours(1)
    private var right: HostTime { HostTime(own: host, now: now, verdict: .believed) }

    /// Frames every ten seconds, stamped so many seconds ahead; what the last one became, and all that was told.
    private func play(
        _ clock: inout FrameClock, ahead: Double, count: Int, from begin: Instant = start, host: HostTime? = nil
    ) -> (last: FrameTime?, news: [CameraClock.News]) {
        var last: FrameTime?
        var news: [CameraClock.News] = []
        for number in 0..<count {
            let arrival = begin + .seconds(Double(number) * 10)
            let (time, told) = clock.judge(stamp: arrival + .seconds(ahead), arrival: arrival, host: host ?? right)
            last = time
            if let told { news.append(told) }
        }
        return (last, news)
    }

    @Test(arguments: [0.0, 5, -5])
    func `is taken at its word within five seconds of the arrival`(ahead: Double) {
        var clock = FrameClock()
        let played = play(&clock, ahead: ahead, count: 3)
        #expect(
            played.last
                == FrameTime(
                    recordedAt: Self.start + .seconds(20 + ahead), state: StampedState(clockState: .synchronised)))
        #expect(played.news.isEmpty)
    }

    @Test(arguments: [(5.001, 10), (-5.001, 31), (3600.0, 10), (-360.0, 31)])
    func `is not believed when it is off, until it has been off by the same for a while`(ahead: Double, needed: Int) {
        var clock = FrameClock()
        let before = play(&clock, ahead: ahead, count: needed - 1)
        #expect(before.last?.state.clockState == .untrusted)
        #expect(before.last?.state.stampedBy == nil)
        #expect(before.news == [.jumped(by: .seconds(ahead))])
        let arrival = Self.start + .seconds(Double(needed - 1) * 10)
        let (time, news) = clock.judge(stamp: arrival + .seconds(ahead), arrival: arrival, host: right)
        #expect(time == FrameTime(recordedAt: arrival, state: StampedState(clockState: .synchronised)))
        #expect(news == .learned(ahead: .seconds(ahead)))
        #expect(clock.camera.ahead == .seconds(ahead))
    }

    @Test func `goes on as learned after a restart`() {
        var clock = FrameClock(camera: CameraClock(ahead: .seconds(-360)))
        let played = play(&clock, ahead: -361, count: 1)
        #expect(
            played.last
                == FrameTime(recordedAt: Self.start - .seconds(1), state: StampedState(clockState: .synchronised)))
    }

    @Test func `is right again as soon as it has been right for a minute`() {
        var clock = FrameClock(camera: CameraClock(ahead: .seconds(-360)))
        let played = play(&clock, ahead: 0, count: 10)
        #expect(played.last?.state.clockState == .synchronised)
        #expect(played.news == [.jumped(by: .seconds(360)), .learned(ahead: .seconds(0))])
        #expect(clock.camera.ahead == .seconds(0))
    }

    @Test(arguments: [(5.0, 0.0), (5.001, 5.001)])
    func `is right again with what is tolerated of any camera, and no more`(ahead: Double, learned: Double) {
        var clock = FrameClock(camera: CameraClock(ahead: .seconds(3600)))
        #expect(play(&clock, ahead: ahead, count: 10).news.last == .learned(ahead: .seconds(learned)))
        #expect(clock.camera.ahead == .seconds(learned))
    }

    @Test func `takes what is four seconds apart for the same, and no more`() {
        func learned(apart: Double) -> TimeSpan {
            var clock = FrameClock()
            for number in 0..<10 {
                let arrival = Self.start + .seconds(Double(number) * 10)
                let ahead = 3600 + (number.isMultiple(of: 2) ? 0 : apart)
                _ = clock.judge(stamp: arrival + .seconds(ahead), arrival: arrival, host: right)
            }
            return clock.camera.ahead
        }
        #expect(learned(apart: 4) == .seconds(3604))
        #expect(learned(apart: 4.001) == .seconds(0))
    }

    @Test func `is no news for one picture that came late`() {
        var clock = FrameClock()
        #expect(play(&clock, ahead: -20, count: 2).news.isEmpty)
        #expect(play(&clock, ahead: 0, count: 1).news.isEmpty)
        #expect(play(&clock, ahead: -20, count: 3).news == [.jumped(by: .seconds(-20))])
        #expect(play(&clock, ahead: 0, count: 1).news == [.learned(ahead: .seconds(0))])
    }

    @Test func `is news again when it jumps once more, right after it was learned`() {
        var clock = FrameClock()
        #expect(
            play(&clock, ahead: 3600, count: 10).news == [.jumped(by: .hours(1)), .learned(ahead: .hours(1))])
        #expect(
            play(&clock, ahead: 7200, count: 10, from: Self.start + .minutes(5)).news
                == [.jumped(by: .hours(1)), .learned(ahead: .hours(2))])
    }

    @Test func `is not learned from pictures that come ever less late, as after a broken line`() {
        var clock = FrameClock()
        var states: [ClockState] = []
        for number in 0..<200 {
            // Taken every two seconds over an hour and more, and sent at two a second now.
            let arrival = Self.start + .hours(2) + .seconds(Double(number) * 0.5)
            let stamp = Self.start + .seconds(Double(number) * 2)
            states.append(clock.judge(stamp: stamp, arrival: arrival, host: right).0.state.clockState)
        }
        #expect(Set(states) == [.untrusted])
        #expect(clock.camera.ahead == .seconds(0))
    }

    @Test func `keeps its own time when the box's clock is set`() {
        var clock = FrameClock()
        _ = play(&clock, ahead: 0, count: 1)
        let set = HostTime(
            own: BootClock(boot: "run", startedAt: host.startedAt + .hours(1)), now: now,
            verdict: .believed)
        let played = play(&clock, ahead: -3600, count: 1, from: Self.start + .hours(1), host: set)
        // The camera didn't move: it is now an hour behind the box, and known to be.
        #expect(played.last?.state.clockState == .synchronised)
        #expect(clock.camera.ahead == .seconds(-3600))
    }

    @Test(arguments: [0.0, -360])
    func `counts at once when the box's clock, wrong since the start, is put right`(ahead: Double) {
        var clock = FrameClock(camera: CameraClock(ahead: .seconds(ahead)))
        let wrong = HostTime(
            own: BootClock(boot: "run", startedAt: host.startedAt - .hours(400_000)),
            now: now - .hours(400_000), verdict: .unknown)
        let before = Self.start - .hours(400_000)
        #expect(
            play(&clock, ahead: 400_000 * 3600 + ahead, count: 2, from: before, host: wrong).last?.state.stampedBy
                == nil)
        let played = play(&clock, ahead: ahead, count: 1)
        #expect(played.last == FrameTime(recordedAt: Self.start, state: StampedState(clockState: .synchronised)))
    }

    @Test func `is the box's where the camera gives no time, and can be put right where the box's is unknown`() {
        var clock = FrameClock()
        let unknown = HostTime(own: host, now: now, verdict: .unknown)
        let (time, _) = clock.judge(stamp: nil, arrival: Self.start, host: unknown)
        #expect(time == FrameTime(recordedAt: Self.start, state: StampedState(clockState: .untrusted, stampedBy: host)))
        let (stamped, _) = clock.judge(stamp: Self.start + .seconds(1), arrival: Self.start, host: unknown)
        #expect(
            stamped
                == FrameTime(
                    recordedAt: Self.start + .seconds(1), state: StampedState(clockState: .untrusted, stampedBy: host)))
        let contradicted = HostTime(own: host, now: now, verdict: .contradicted(ahead: .hours(24)))
        #expect(
            clock.judge(stamp: nil, arrival: Self.start, host: contradicted).0
                == FrameTime(recordedAt: Self.start, state: StampedState(clockState: .untrusted)))
    }

    @Test func `is not this run's for a file that another run's clock stamped`() {
        var clock = FrameClock()
        let unknown = HostTime(own: host, now: now, verdict: .unknown)
        for arrival in [Self.start - .seconds(1), now + .seconds(6)] {
            #expect(
                clock.judge(stamp: nil, arrival: arrival, host: unknown).0
                    == FrameTime(recordedAt: arrival, state: StampedState(clockState: .untrusted)))
        }
        // Before the clock was put right, a file got a time of 1970.
        let old = Instant(milliseconds: 300_000)
        #expect(
            clock.judge(stamp: nil, arrival: old, host: right).0
                == FrameTime(recordedAt: old, state: StampedState(clockState: .untrusted)))
        #expect(
            clock.judge(stamp: nil, arrival: Self.start - .hours(1), host: right).0.state.clockState == .synchronised)
    }
}
