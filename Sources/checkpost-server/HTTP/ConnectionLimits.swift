/// How long a connection may take for what, and how much of it there may be.
package struct ConnectionLimits: Sendable {
    /// From the connection's start to the end of the first head.
    package var headSeconds = 15.0
    /// Between an answer and the next head.
    package var idleSeconds = 60.0
    /// A body or an answer may pause so long in all...
    package var graceSeconds = 20.0
    /// ... beyond the time that it takes at this rate, which the slowest mobile link has.
    package var leastBytesPerSecond = 1024.0
    /// How long a client that was answered early may go on sending, so that it reads the answer instead of an error.
    package var drainSeconds = 3.0
    package var drainBytes = 8 * 1024 * 1024

    package init() {}

    /// Whether something that began so many seconds ago has moved too few bytes.
    /// Example: after 60 s, with 20 s of grace and 1024 bytes a second, 40 960 bytes are enough.
    package func isTooSlow(bytes: Int, seconds: Double) -> Bool {
        seconds > graceSeconds + Double(bytes) / leastBytesPerSecond
    }

    /// How often a connection is looked at.
    var lookSeconds: Double {
        min(5, max(0.05, min(headSeconds, idleSeconds, graceSeconds, drainSeconds) / 3))
    }
}
