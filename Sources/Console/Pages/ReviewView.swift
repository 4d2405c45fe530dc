import Enforcement
import Foundation
import Pages
import Ranger
import Storage

/// A doubtful sighting, or a vehicle that a ranger wants recorded, as pages and programs get it.
struct ReviewView: Encodable, Sendable {
    let id: String
    let plate: String

    /// The plate in Devanagari; nil for a Latin one.
    let script: String?
    let raw: String
    let confidence: Double
    let vehicleType: String
    let candidates: [String]
    let hasCandidates: Bool
    let parts: [PlateParts.Part]
    let hasParts: Bool
    let types: [Choice]
    let photo: String?

    /// Nil where no plate was found.
    let crop: PlateCrop?
    let capturedAt: String
    let time: String
    let camera: String
    let isManual: Bool

    /// Nothing was read, or not all of it: the ranger types at once.
    let needsTyping: Bool
    let hasPlate: Bool

    /// How long ago the picture was taken; nil without one, and when its clock was another one.
    let ageMs: Int64?
    let ageText: String

    /// The picture was old when the button was pressed: the passage gets the button's time, and the page says so.
    let isOldPicture: Bool
    let oldText: String

    /// A passage that the camera has made of the same vehicle, as it seems.
    struct Recorded: Encodable, Sendable {
        let id: String
        let plate: String
        let time: String
        let text: String
    }

    let recorded: Recorded?

    /// - Parameters:
    ///   - size: the picture's, in pixels; nil when it can't be read.
    ///   - chosen: the type that a person chose; nil for what the plate says.
    init(
        _ stored: StoredSighting, size: (width: Int, height: Int)?, recordedAlready: Passage? = nil,
        chosen: VehicleType? = nil, now: Instant, _ texts: Texts
    ) {
        let sighting = stored.sighting
        let reading = sighting.reading
        let type = VehicleType.guess(of: reading.plate, format: reading.format)
        id = sighting.id
        plate = reading.plate.canonical
        script = PlateSpelling.shown(reading.plate, raw: reading.raw)
        raw = reading.raw
        confidence = reading.confidence
        vehicleType = type.rawValue
        candidates = reading.candidates.map(\.plate.canonical).filter { $0 != reading.plate.canonical }.prefix(4)
            .map { $0 }
        hasCandidates = !candidates.isEmpty
        parts = PlateParts(reading).parts
        hasParts = !parts.isEmpty
        // Nothing says what a plate that nobody has read yet stands on: typing it chooses.
        types = Choice.types(chosen ?? (plate.isEmpty ? nil : type), texts)
        photo = stored.hasPhoto ? sighting.bestFrame.sha256 : nil
        crop = size.flatMap { PlatePlace(reading.box, width: $0.width, height: $0.height) }
            .map { PlateCrop($0, path: "/photos/" + sighting.bestFrame.sha256) }
        capturedAt = sighting.bestFrame.recordedAt.iso8601
        time = texts.moment(sighting.bestFrame.recordedAt)
        hasPlate = !plate.isEmpty
        needsTyping = plate.isEmpty || reading.plate.isPartial
        let age = now - sighting.bestFrame.recordedAt
        ageMs = stored.hasPhoto && age.milliseconds > 0 && age < .hours(24) ? age.milliseconds : nil
        ageText = texts.span(age)
        let atButton = sighting.pictureAgeAtButton
        isOldPicture = stored.hasPhoto && atButton.isOld
        oldText = texts("picture_was_old", ["age": texts.span(atButton.age)])
        isManual = sighting.isManual
        recorded = recordedAlready.map { passage in
            let time = texts.clock(passage.recordedAt)
            return Recorded(
                id: passage.clientID.uuidString.lowercased(), plate: passage.plate.canonical, time: time,
                text: texts("recorded_already", ["plate": passage.plate.canonical, "time": time]))
        }
        camera = isManual ? String(sighting.camera.dropFirst(ManualReview.cameraPrefix.count)) : sighting.camera
    }
}
