import Enforcement
import Foundation
import Pages
import Storage

extension Console {
    /// Outcomes as lines of a page: what, how much, notes, who and when.
    func lines(_ outcomes: [Outcome], _ texts: Texts) -> [[String: String]] {
        outcomes.map { outcome in
            [
                "text": texts["outcome_" + outcome.kind.rawValue],
                "fine": texts.fine(outcome), "notes": outcome.notes ?? "",
                "by": texts(
                    "recorded_by",
                    ["name": outcome.recordedBy, "time": texts.short(outcome.recordedAt, now: now)]),
            ]
        }
    }
}
