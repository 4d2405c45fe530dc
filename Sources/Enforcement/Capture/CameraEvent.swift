/// Why a camera gives no frames, in words for the operator.
package struct CameraFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried and what happened. Never holds a password.
    package var reason: String

    /// What the operator can do about it.
    package var hint: String

    /// Set when trying again soon does harm: cameras lock an account after a few refused logins.
    package var retriesLate: Bool

    package init(_ reason: String, hint: String, retriesLate: Bool = false) {
        self.reason = reason
        self.hint = hint
        self.retriesLate = retriesLate
    }

    package var description: String { "\(reason). \(hint)" }
}

/// A change in the state of a camera, for the log, the console's alarms and `status`.
package enum CameraEvent: Equatable, Sendable {
    /// The camera answered for the first time.
    case connected

    /// No frame came for this long: an alarm. Told once, until frames come again.
    case silent(for: TimeSpan)

    /// The camera failed and is tried again after `retryIn`. Told once for each new reason, not for every attempt.
    case failed(CameraFailure, retryIn: TimeSpan)

    /// Frames come again, this long after the failure or the last frame before the silence.
    case recovered(after: TimeSpan)

    /// A source with an end, a video file say, has given all its frames.
    case finished
}
