import Enforcement
import MachineClock

/// The box's clock. The domain is told the time; only shells ask for it, and they ask here.
package enum BoxClock {
    package static var now: Instant { MachineClock.now }
}
