import Enforcement
import Testing

@Suite("The clock of a camera", .timeLimit(.minutes(1)))
struct CameraClockTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    /// What is told of pictures that come each minute, each with a stamp so many seconds ahead of the box.
    private func news(_ clock: inout CameraClock, ahead: [Double]) -> [CameraClock.News?] {
        ahead.enumerated().map { minute, seconds in
            let arrival = start + .minutes(Double(minute))
            return clock.judge(stamp: arrival + .seconds(seconds), arrival: arrival).news
        }
    }

    @Test func `that was elsewhere for three pictures is told once, and once that it agrees again`() {
        var clock = CameraClock()
        // Too few of them to learn from.
        let told = news(&clock, ahead: [0, 400, 400, 400, 400, 0, 0, 0])
        #expect(told == [nil, nil, nil, .jumped(by: .seconds(400)), nil, .learned(ahead: .seconds(0)), nil, nil])
    }
}
