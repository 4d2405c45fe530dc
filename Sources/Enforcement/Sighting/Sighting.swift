/// The readings of one vehicle across frames, voted into one.
package struct Sighting: Sendable, Equatable, Codable {
    /// Counts up for one camera and never starts again: with the camera's name it names the sighting for good.
    package var number: Int

    package var camera: String
    package var firstSeenAt: Instant
    package var lastSeenAt: Instant

    /// How many frames its plate was read in.
    package var frameCount: Int

    /// The frame that shows it best. Its capture time is the passage's `recordedAt`, its picture the evidence.
    package var bestFrame: FrameReference

    /// The vote: the box is that of the best frame.
    package var reading: PlateReading

    /// Which way it goes, as far as its frames told when it was decided.
    package var course: Course?

    /// Which way that is, where the camera was told; nil where it isn't known.
    package var travel: Travel?

    package init(
        number: Int, camera: String, firstSeenAt: Instant, lastSeenAt: Instant, frameCount: Int,
        bestFrame: FrameReference, reading: PlateReading, course: Course? = nil,
        travel: Travel? = nil
    ) {
        self.number = number
        self.camera = camera
        self.firstSeenAt = firstSeenAt
        self.lastSeenAt = lastSeenAt
        self.frameCount = frameCount
        self.bestFrame = bestFrame
        self.reading = reading
        self.course = course
        self.travel = travel
    }

    /// Names it in the database: `gate/17`.
    package var id: String { "\(camera)/\(number)" }
}
