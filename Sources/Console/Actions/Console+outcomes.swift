import Enforcement
import Foundation
import Storage

extension Console {
    /// Outcomes as lines of a page: what, how much, notes, who and when.
    func lines(_ outcomes: [Outcome], _ texts: Texts) -> [[String: String]] {
        outcomes.map { outcome in
            [
                "text": texts["outcome_" + outcome.kind.rawValue],
                "fine": outcome.fineAmount.map { "Rs " + AlertView.number($0) } ?? "", "notes": outcome.notes ?? "",
                "by": texts(
                    "recorded_by",
                    ["name": outcome.recordedBy, "time": NepalTime.short(outcome.recordedAt, now: now)]),
            ]
        }
    }
}
