/// Names a frame whose picture is kept elsewhere.
package struct FrameReference: Sendable, Equatable, Hashable, Codable {
    /// Of the picture as the camera gave it, lower-case hexadecimal.
    package var sha256: String

    package var camera: String
    package var recordedAt: Instant
    package var clockState: ClockState

    /// The box's clock that gave `recordedAt`, where it isn't known to be right: see ``StampedState``.
    package var stampedBy: BootClock?

    package init(
        sha256: String, camera: String, recordedAt: Instant, clockState: ClockState, stampedBy: BootClock? = nil
    ) {
        self.sha256 = sha256
        self.camera = camera
        self.recordedAt = recordedAt
        self.clockState = clockState
        self.stampedBy = stampedBy
    }
}
