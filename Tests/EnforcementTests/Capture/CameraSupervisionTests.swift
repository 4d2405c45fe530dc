import Testing

@testable import Enforcement

@Suite("The supervision of a camera", .timeLimit(.minutes(5)))
struct CameraSupervisionTests {
    private let broken = CameraFailure("The line is cut", hint: "Mend it.")
    private var supervision = CameraSupervision(
        backoff: Backoff(firstDelay: .seconds(1), longestDelay: .seconds(8)), silentAfter: .seconds(60))

    private mutating func after(_ seconds: Double, _ event: CameraSupervision.Event) -> [CameraSupervision.Action] {
        supervision.handle(event, at: Instant(seconds: seconds), random: 1)
    }

    @Test mutating func `tells of the first connection once`() {
        #expect(after(0, .started) == [])
        #expect(after(1, .opened) == [.report(.connected)])
        #expect(after(2, .delivered) == [])
        #expect(after(3, .delivered) == [])
        #expect(supervision.phase == .connected)
    }

    @Test mutating func `is not connected while it has sent only broken pictures`() {
        _ = after(0, .started)
        _ = after(0, .opened)
        #expect(supervision.phase == .connected)
        for second in 1...3 {
            _ = after(Double(second), .delivered)
            _ = after(Double(second), .judged(isReadable: false))
            #expect(supervision.phase == .unreadable)
        }
        _ = after(4, .delivered)
        _ = after(4, .judged(isReadable: true))
        #expect(supervision.phase == .connected)
    }

    @Test mutating func `stays connected over a few broken pictures, and not over ten in a row`() {
        _ = after(0, .started)
        _ = after(1, .delivered)
        _ = after(1, .judged(isReadable: true))
        for count in 1...9 {
            _ = after(Double(count), .judged(isReadable: false))
            #expect(supervision.phase == .connected)
        }
        _ = after(10, .judged(isReadable: false))
        #expect(supervision.phase == .unreadable)
        _ = after(11, .failed(broken))
        #expect(supervision.phase == .failed, "what ended the connection says more")
        _ = after(12, .started)
        _ = after(12, .opened)
        #expect(supervision.phase == .connected)
    }

    @Test mutating func `waits longer after every failure, and starts short again after success`() {
        _ = after(0, .started)
        #expect(
            after(1, .failed(broken)) == [.report(.failed(broken, retryIn: .seconds(1))), .restart(after: .seconds(1))])
        #expect(after(2, .failed(broken)) == [.restart(after: .seconds(2))])
        #expect(after(4, .failed(broken)) == [.restart(after: .seconds(4))])
        #expect(after(8, .failed(broken)) == [.restart(after: .seconds(8))])
        #expect(after(16, .failed(broken)) == [.restart(after: .seconds(8))])
        #expect(supervision.attempts == 5)
        #expect(after(20, .delivered) == [.report(.recovered(after: .seconds(19)))])
        #expect(supervision.lastFailure == nil)
        #expect(after(21, .failed(broken)).last == .restart(after: .seconds(1)))
    }

    @Test mutating func `tells of a new reason at once`() {
        _ = after(0, .failed(broken))
        let other = CameraFailure("The lens is gone", hint: "Find it.")
        #expect(after(1, .failed(other)).first == .report(.failed(other, retryIn: .seconds(2))))
    }

    @Test mutating func `waits the longest after a refused login`() {
        let refused = CameraFailure("The login is refused", hint: "Correct it.", retriesLate: true)
        #expect(after(0, .failed(refused)).last == .restart(after: .seconds(8)))
    }

    @Test mutating func `raises one alarm for a silence, and tells of its end`() {
        _ = after(0, .started)
        _ = after(10, .delivered)
        #expect(after(69.9, .tick) == [])
        #expect(after(70, .tick) == [.report(.silent(for: .seconds(60)))])
        #expect(after(80, .tick) == [])
        #expect(supervision.phase == .silent)
        #expect(after(90, .delivered) == [.report(.recovered(after: .seconds(80)))])
        #expect(after(91, .tick) == [])
    }

    @Test mutating func `is silent too when the camera never answered, or only opens and says nothing`() {
        _ = after(0, .started)
        _ = after(1, .failed(broken))
        #expect(after(60, .tick) == [.report(.silent(for: .seconds(60)))])
        #expect(after(61, .opened) == [])
        #expect(supervision.phase == .silent)
        #expect(after(62, .failed(broken)) == [.restart(after: .seconds(2))])
        #expect(after(63, .delivered) == [.report(.recovered(after: .seconds(62)))])
    }

    @Test mutating func `ends with a source that has an end`() {
        _ = after(0, .started)
        _ = after(1, .delivered)
        #expect(after(2, .finished) == [.report(.finished), .stop])
        #expect(after(500, .tick) == [])
    }

    @Test func `is never silent without a limit`() {
        var supervision = CameraSupervision(silentAfter: nil)
        _ = supervision.handle(.started, at: Instant(seconds: 0), random: 0)
        #expect(supervision.handle(.tick, at: Instant(seconds: 1e9), random: 0) == [])
    }
}

@Suite("A backoff", .timeLimit(.minutes(5)))
struct BackoffTests {
    @Test func `grows by doubling between half and whole, up to its bound`() {
        let backoff = Backoff(firstDelay: .seconds(1), longestDelay: .seconds(30))
        #expect((1...7).map { backoff.delay(attempt: $0, random: 1).seconds } == [1, 2, 4, 8, 16, 30, 30])
        #expect(backoff.delay(attempt: 4, random: 0) == .seconds(4))
        #expect(backoff.delay(attempt: .max, random: 1) == .seconds(30))
        #expect(backoff.delay(attempt: 0, random: 7) == .seconds(1))
    }
}
