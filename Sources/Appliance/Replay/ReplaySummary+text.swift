import Enforcement
import Storage

/// A replay as programs and people get it.
extension ReplaySummary: Encodable {
    enum CodingKeys: String, CodingKey {
        case frames, passages, violations, reviews
        case score = "truth"
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
        try container.encodeIfPresent(score, forKey: .score)
    }

    /// - Parameter room: how many columns a line of a table may have.
    package func text(within room: Int?) -> String {
        var parts: [String] = []
        parts.append(
            "\(frames.total) frames in \(Wording.decimal(frames.seconds)) s"
                + (frames.still > 0 ? ", \(frames.still) without change" : "")
                + (frames.unreadable > 0 ? ", \(frames.unreadable) unreadable" : ""))
        if frames.total + frames.unreadable == 0 { parts.append("Every frame had been taken before.") }
        parts.append(
            passages.isEmpty
                ? "No passage was recorded." : "Passages\n\(TextTable.passages(passages).text(within: room))")
        if !reviews.isEmpty {
            var table = TextTable([("seen (Nepal)", .left), ("plate", .left), ("sure", .right)])
            for review in reviews {
                let sighting = review.sighting
                table.add([
                    sighting.bestFrame.recordedAt.nepalText,
                    sighting.reading.isUnread ? "(not read)" : sighting.reading.plate.canonical,
                    Wording.decimal(sighting.reading.confidence, 2),
                ])
            }
            parts.append("Doubtful sightings, for a ranger to review\n\(table.text(within: room))")
        }
        if !violations.isEmpty { parts.append("Violations\n\(TextTable.violations(violations).text(within: room))") }
        if !alerts.isEmpty {
            var table = TextTable([("entered (Nepal)", .left), ("plate", .left), ("expected out by", .left)])
            for alert in alerts {
                table.add([
                    alert.alert.entryTime.nepalText,
                    alert.alert.plate.canonical + (alert.alert.isDoubtful ? " (doubtful)" : ""),
                    alert.alert.expectedExitBy.nepalText,
                ])
            }
            parts.append("Overstay alerts\n\(table.text(within: room))")
        }
        if let score { parts.append(score.text(within: room)) }
        return parts.joined(separator: "\n\n")
    }
}
