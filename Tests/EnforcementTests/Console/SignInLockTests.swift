import Enforcement
import Testing

@Suite("A sign-in lock", .timeLimit(.minutes(5)))
struct SignInLockTests {
    private let now = Instant(milliseconds: 1_000_000)

    @Test func `lets four failures pass`() {
        var lock = SignInLock()
        for _ in 0..<4 { lock.failed(at: now) }
        #expect(lock.waitsUntil(at: now) == nil)
    }

    @Test func `doubles the wait with each further one, up to an hour`() {
        var lock = SignInLock()
        var waits: [Double] = []
        for _ in 0..<15 {
            lock.failed(at: now)
            if let until = lock.waitsUntil(at: now) { waits.append((until - now).seconds) }
        }
        #expect(waits == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600])
    }

    @Test func `opens with a success and with time`() {
        var lock = SignInLock()
        for _ in 0..<5 { lock.failed(at: now) }
        #expect(lock.waitsUntil(at: now + .seconds(30)) == nil)
        lock.succeeded()
        #expect(lock == SignInLock())
    }

    @Test func `of a clock that was set back holds as long as a failure now would, and then is over`() {
        var lock = SignInLock(failureCount: 9, lockedUntil: now + .hours(24 * 365))
        #expect(lock.waitsUntil(at: now) == now + .seconds(480))
        let wasWrong = lock.settle(at: now)
        let isStillWrong = lock.settle(at: now + .seconds(1))
        #expect(wasWrong && !isStillWrong, "it is put right once")
        #expect(lock.waitsUntil(at: now + .seconds(479)) == now + .seconds(480))
        #expect(lock.waitsUntil(at: now + .seconds(480)) == nil)
    }
}
