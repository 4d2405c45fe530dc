import Enforcement

/// What `status` shows of a camera.
package struct CameraStatus: Sendable, Equatable {
    package var camera: String
    package var phase: CameraSupervision.Phase = .connecting

    /// Why it failed, and what to do; nil while it works.
    package var failure: CameraFailure?

    /// Attempts since it last worked.
    package var attempts = 0

    /// Frames that the source gave, those dropped among them.
    package var frameCount = 0

    /// Frames given up because the consumer was too slow.
    package var droppedCount = 0

    /// Files and parts of a stream that held no readable picture.
    package var unreadableCount = 0

    /// The capture time of the newest frame.
    package var lastFrameAt: Instant?

    package init(camera: String) {
        self.camera = camera
    }
}
