import Foundation

/// One recorded vehicle at one checkpost at one moment.
package struct Passage: Sendable, Equatable, Identifiable {
    /// A UUID v4 given when it is recorded and never changed: the idempotency key towards the server.
    package let clientID: UUID

    package var plate: Plate

    /// What the camera or the ranger gave, before any format changed it.
    package var plateRaw: String

    package var vehicleType: VehicleType

    /// The code of the checkpost that recorded it.
    package var checkpostCode: String

    /// The capture time of the frame.
    package var recordedAt: Instant

    package var clockState: ClockState

    /// The box's clock that gave `recordedAt`, where it isn't known to be right: see ``StampedState``.
    package var stampedBy: BootClock?

    /// How likely the plate is right, 0…1; nil when a person typed it.
    package var confidence: Double?

    package var origin: Origin

    /// The SHA-256 of the frame as the camera gave it, in lower-case hexadecimal; nil without a photo.
    package var photoSHA256: String?

    /// The ranger who confirmed or typed it; nil for what was recorded by itself.
    package var actedBy: String?

    /// Which way it went; nil where that isn't known.
    package var travel: Travel?

    package var id: UUID { clientID }

    package enum Origin: String, Sendable, Codable, CaseIterable {
        /// Recorded by itself, the reading being sure enough.
        case camera
        /// A doubtful sighting that a ranger confirmed.
        case review
        /// Typed by a ranger.
        case manual
    }

    package init(
        clientID: UUID, plate: Plate, plateRaw: String, vehicleType: VehicleType, checkpostCode: String,
        recordedAt: Instant, clockState: ClockState, stampedBy: BootClock? = nil, confidence: Double? = nil,
        origin: Origin, photoSHA256: String? = nil, actedBy: String? = nil, travel: Travel? = nil
    ) {
        self.clientID = clientID
        self.plate = plate
        self.plateRaw = plateRaw
        self.vehicleType = vehicleType
        self.checkpostCode = checkpostCode
        self.recordedAt = recordedAt
        self.clockState = clockState
        self.stampedBy = stampedBy
        self.confidence = confidence
        self.origin = origin
        self.photoSHA256 = photoSHA256
        self.actedBy = actedBy
        self.travel = travel
    }
}
