import Enforcement
import Storage

/// A replay as programs get it.
extension ReplaySummary: Encodable {
    enum CodingKeys: String, CodingKey {
        case frames, passages, violations, reviews
        case overstayAlerts = "overstay_alerts"
    }

    private struct Review: Encodable {
        let id: String
        let plate: String
        let confidence: Double
        let recordedAt: String

        enum CodingKeys: String, CodingKey {
            case id, plate, confidence
            case recordedAt = "recorded_at"
        }

        init(_ stored: StoredSighting) {
            id = stored.sighting.id
            plate = stored.sighting.reading.plate.compact
            confidence = stored.sighting.reading.confidence
            recordedAt = stored.sighting.bestFrame.recordedAt.iso8601
        }
    }

    private struct AlertRow: Encodable {
        let plate: String
        let entryTime: String
        let expectedExitBy: String
        let isDoubtful: Bool

        enum CodingKeys: String, CodingKey {
            case plate
            case entryTime = "entry_time"
            case expectedExitBy = "expected_exit_by"
            case isDoubtful = "doubtful"
        }

        init(_ stored: StoredOverstayAlert) {
            plate = stored.alert.plate.compact
            entryTime = stored.alert.entryTime.iso8601
            expectedExitBy = stored.alert.expectedExitBy.iso8601
            isDoubtful = stored.alert.isDoubtful
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frames, forKey: .frames)
        try container.encode(passages.map(ListedPassage.init), forKey: .passages)
        try container.encode(violations.map(ListedViolation.init), forKey: .violations)
        try container.encode(reviews.map(Review.init), forKey: .reviews)
        try container.encode(alerts.map(AlertRow.init), forKey: .overstayAlerts)
    }
}
