import Foundation

/// One camera picture with its capture time.
///
/// The bytes are kept as the camera gave them: they are the evidence, and their SHA-256 is recorded with the passage.
package struct Frame: Sendable, Equatable {
    /// The picture as the camera encoded it: a JPEG, PNG or PNM file's bytes.
    package var picture: Data

    /// When the camera took it. Never the time of processing.
    package var recordedAt: Instant

    /// Whether `recordedAt` can be believed.
    package var clockState: ClockState

    /// The box's clock that gave `recordedAt`, where it isn't known to be right: see ``StampedState``.
    package var stampedBy: BootClock?

    /// The name of the camera in the configuration.
    package var camera: String

    /// Names this frame at its source for good, so that a frame taken before a restart isn't taken again after it: for a
    /// folder the file's name, size and modification time. Nil where the source never gives a frame twice (a live stream).
    package var sourceKey: String?

    package init(
        picture: Data, recordedAt: Instant, clockState: ClockState, stampedBy: BootClock? = nil, camera: String,
        sourceKey: String? = nil
    ) {
        self.picture = picture
        self.recordedAt = recordedAt
        self.clockState = clockState
        self.stampedBy = stampedBy
        self.camera = camera
        self.sourceKey = sourceKey
    }

    package init(picture: Data, time: FrameTime, camera: String, sourceKey: String? = nil) {
        self.init(
            picture: picture, recordedAt: time.recordedAt, clockState: time.state.clockState,
            stampedBy: time.state.stampedBy, camera: camera, sourceKey: sourceKey)
    }
}
