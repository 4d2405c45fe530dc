import Enforcement
import Foundation

/// The box's clock. The domain is told the time; only shells ask for it, and they ask here.
enum BoxClock {
    static var now: Instant { Instant(seconds: Date().timeIntervalSince1970) }
}
