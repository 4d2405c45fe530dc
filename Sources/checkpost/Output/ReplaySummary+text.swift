import Appliance
import Enforcement
import Storage

/// A replay as people get it.
extension ReplaySummary {
    var text: String {
        var parts: [String] = []
        parts.append(
            "\(frames.total) frames in \(Wording.decimal(frames.seconds)) s"
                + (frames.still > 0 ? ", \(frames.still) without change" : "")
                + (frames.unreadable > 0 ? ", \(frames.unreadable) unreadable" : ""))
        if frames.total + frames.unreadable == 0 { parts.append("Every frame had been taken before.") }
        parts.append(
            passages.isEmpty ? "No passage was recorded." : "Passages\n\(TextTable.passages(passages).text)")
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
            parts.append("Doubtful sightings, for a ranger to review\n\(table.text)")
        }
        if !violations.isEmpty { parts.append("Violations\n\(TextTable.violations(violations).text)") }
        if !alerts.isEmpty {
            var table = TextTable([("entered (Nepal)", .left), ("plate", .left), ("expected out by", .left)])
            for alert in alerts {
                table.add([
                    alert.alert.entryTime.nepalText,
                    alert.alert.plate.canonical + (alert.alert.isDoubtful ? " (doubtful)" : ""),
                    alert.alert.expectedExitBy.nepalText,
                ])
            }
            parts.append("Overstay alerts\n\(table.text)")
        }
        return parts.joined(separator: "\n\n")
    }
}
