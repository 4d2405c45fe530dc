import Foundation

/// A lock with a condition whose waits end by the time that passes, whatever happens to the wall clock.
///
/// Foundation's ends them at a time of day: when the clock is set back by an hour, a wait of a second takes an hour longer.
package final class MonotonicCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }
    package func unlock() { pthread_mutex_unlock(mutex) }
    package func signal() { pthread_cond_signal(condition) }
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits for a signal. It may return without one.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// A moment that a wait may end at.
    package struct Deadline: Sendable {
        fileprivate var time: timespec
    }

    /// - Parameter seconds: at most a day.
    package static func deadline(in seconds: Double) -> Deadline {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = Int(min(max(0, seconds), 86_400) * 1e9) + time.tv_nsec
        return Deadline(
            time: timespec(tv_sec: time.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000))
    }

    /// Waits for a signal, or until a moment. It may return without either.
    ///
    /// - Returns: false when the moment has come.
    @discardableResult
    package func wait(until deadline: Deadline) -> Bool {
        var time = deadline.time
        return pthread_cond_timedwait(condition, mutex, &time) == 0
    }
}
