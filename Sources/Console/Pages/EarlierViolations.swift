import Enforcement
import Foundation
import Pages
import Storage

extension Console {
    /// What the plate of an alert did before: of each what, when and what came of it. The newest first.
    func earlierLines(_ alert: RangerAlert, _ texts: Texts) throws -> [[String: String]] {
        try earlier(alert).map { stored in
            let violation = stored.violation
            let speed = FindingFigures(violation, units: texts.units).speed
            let done = stored.outcome.map { texts["outcome_" + $0.kind.rawValue] + " " + texts.fine($0) } ?? ""
            return [
                "path": "/outcome?violation=" + violation.id.uuidString.lowercased(),
                "time": texts.short(violation.exitTime, now: now),
                "title": texts[violation.kind == .speeding ? "speeding" : "late"],
                "speed": speed.map { texts.digits($0) + " " + texts["kmh"] } ?? "", "what": done,
            ]
        }
    }

    /// The same in a few words; nil when there was none.
    func earlierText(_ alert: RangerAlert, _ texts: Texts) -> String? {
        // An alert is shown without it rather than not at all.
        guard let found = try? earlier(alert), let last = found.first else { return nil }
        let count = found.count == Self.mostEarlier ? "\(found.count)+" : "\(found.count)"
        return texts("earlier", ["count": count, "time": texts.short(last.violation.exitTime, now: now)])
    }

    private static let mostEarlier = 20

    private func earlier(_ alert: RangerAlert) throws -> [StoredViolation] {
        let (plate, before, own): (Plate, Instant, UUID?) =
            switch alert.subject {
            case .violation(let violation): (violation.plate, violation.exitTime, violation.id)
            case .overstay(let stored): (stored.alert.plate, stored.raisedAt, nil)
            case .wanted(let sight): (sight.wanted.plate, sight.recordedAt, nil)
            case .closed(let sight): (sight.plate, sight.recordedAt, nil)
            }
        return try store.violations.list(
            ViolationFilter(until: before, plate: plate), limit: Self.mostEarlier
        ).filter { $0.id != own }
    }
}
