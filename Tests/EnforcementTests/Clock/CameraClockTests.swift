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

    /// Two seconds apart: the thirty-first picture is the first with a minute behind it. The one without a delay says how far ahead.
    @Test(arguments: [(0, 402.0), (1, 400), (2, 402), (30, 402)])
    func `is learned from its first picture and its last twenty-nine`(undelayed: Int, ahead: Double) {
        var clock = CameraClock()
        let told = (0...30).map { number in
            let arrival = start + .seconds(Double(2 * number))
            return clock.judge(stamp: arrival + .seconds(number == undelayed ? 402 : 400), arrival: arrival).news
        }
        #expect(told.last == .learned(ahead: .seconds(ahead)) && told.compactMap { $0 }.count == 2)
    }
}
