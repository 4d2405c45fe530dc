import Enforcement
import GRDB

/// A vehicle that a ranger wants recorded: it waits for review like a doubtful sighting, across restarts too.
package struct ManualReview: Sendable {
    /// The camera whose picture it is; nil without one.
    package var camera: String?

    /// Nil when there is no picture, or no room for it.
    package var photo: PhotoRecord?

    /// The frame: its `sha256` names a picture that may not be there.
    package var frame: FrameReference
    package var reading: PlateReading

    /// When the button was pressed.
    package var pressedAt: Instant

    package init(
        camera: String?, photo: PhotoRecord?, frame: FrameReference, reading: PlateReading, pressedAt: Instant
    ) {
        self.camera = camera
        self.photo = photo
        self.frame = frame
        self.reading = reading
        self.pressedAt = pressedAt
    }

    /// Manual sightings have numbers of their own: no camera's name has a colon, so they never meet a tracker's.
    package static let cameraPrefix = "manual:"
}

extension SightingTable {
    /// Keeps a vehicle for review.
    ///
    /// - Returns: the sighting's id: `manual:gate/3`.
    package func add(_ review: ManualReview) throws -> String {
        try write("Keeping a vehicle for review") { db in
            let camera = ManualReview.cameraPrefix + (review.camera ?? "")
            let last = try Int.fetchOne(
                db, cached: "SELECT max(number) FROM sightings WHERE camera = ?", arguments: [camera])
            if let photo = review.photo { try PhotoTable.upsertPhoto(db, photo) }
            let sighting = Sighting(
                number: (last ?? 0) + 1, camera: camera, firstSeenAt: review.pressedAt, lastSeenAt: review.pressedAt,
                frameCount: 1, bestFrame: review.frame, reading: review.reading)
            try Self.upsert(db, sighting, state: .review)
            return sighting.id
        }
    }
}
