import Enforcement
import Foundation
import Storage

/// A doubtful sighting as programs get it.
package struct ListedReview: Encodable {
    package let id: String
    package let camera: String
    package let plate: String
    package let text: String
    package let raw: String
    package let confidence: Double
    package let candidates: [String]

    /// The plate is none of the country's: it waits however sure the reading is.
    package let isUnusual: Bool

    /// Vehicles of the other post that it could be.
    package let possible: [String]
    package let recordedAt: String
    package let picture: String?

    package enum CodingKeys: String, CodingKey {
        case id, camera, plate, text, raw, confidence, candidates, possible
        case isUnusual = "unusual"
        case recordedAt = "recorded_at"
        case picture
    }

    package init(_ stored: StoredSighting, store: Store, country: String?) throws {
        possible = try Self.possible(stored.sighting, in: store)
        let reading = stored.sighting.reading
        id = stored.sighting.id
        camera = stored.sighting.camera
        plate = reading.plate.compact
        text = reading.plate.canonical
        raw = reading.raw
        confidence = reading.confidence
        candidates = reading.candidates.map(\.plate.compact)
        isUnusual = PlateFormat.all.first { $0.name == reading.format }?.isUsual(in: country) == false
        recordedAt = stored.sighting.bestFrame.recordedAt.iso8601
        picture = try store.photos.record(sha256: stored.sighting.bestFrame.sha256)?.path
    }

    /// The vehicles of the other post that are still on the road and could be this one: equal, alike in one character, or
    /// equal around the gaps; the nearest in time first. A hint for the ranger, never a match.
    private static func possible(_ sighting: Sighting, in store: Store) throws -> [String] {
        let seenAt = sighting.bestFrame.recordedAt
        let plate = sighting.reading.plate
        let others = try store.matches.unmatched(
            .remote, resembling: plate, near: seenAt, within: PassageMatcher.defaultWindow)
        return others.filter { !plate.isPartial && $0.plate == plate || LookAlike.mayBeSame($0.plate, plate) }
            .sorted { ($0.recordedAt - seenAt).magnitude < ($1.recordedAt - seenAt).magnitude }
            .prefix(PassageMatcher.maximumPossible).map(\.plate.canonical)
    }
}
