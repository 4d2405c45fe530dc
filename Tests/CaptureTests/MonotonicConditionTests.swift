import Enforcement
import Foundation
import MachineClock
import Testing

@Suite("A wait that no clock lengthens", .timeLimit(.minutes(1)))
struct MonotonicConditionTests {
    @Test func `ends when its time has passed`() {
        let condition = MonotonicCondition()
        condition.lock()
        defer { condition.unlock() }
        let began = MachineClock.uptime
        let deadline = MonotonicCondition.deadline(in: 0.2)
        while condition.wait(until: deadline) {}
        #expect(MachineClock.uptime - began >= .milliseconds(199))
    }

    @Test func `ends at once for a time that is over`() {
        let condition = MonotonicCondition()
        condition.lock()
        defer { condition.unlock() }
        #expect(!condition.wait(until: MonotonicCondition.deadline(in: -5)))
    }

    @Test func `ends with a signal`() {
        let condition = MonotonicCondition()
        condition.lock()
        Thread.detachNewThread {
            condition.lock()
            condition.signal()
            condition.unlock()
        }
        // The other thread gets the lock only while this one waits.
        #expect(condition.wait(until: MonotonicCondition.deadline(in: 60)))
        condition.unlock()
    }
}
