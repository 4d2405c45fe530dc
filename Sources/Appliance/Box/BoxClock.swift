import Enforcement
import Foundation

/// The box's clock. The domain is told the time; only shells ask for it, and they ask here.
package enum BoxClock {
    package static var now: Instant { Instant(seconds: Date().timeIntervalSince1970) }
}
