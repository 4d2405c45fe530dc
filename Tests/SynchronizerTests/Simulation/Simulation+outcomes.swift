import Foundation
import Storage

@testable import Synchronizer

extension Simulation {
    /// In the end both posts show what the server holds, whoever acted, and in which order it arrived.
    func outcomeProblems() throws -> [String] {
        var problems: [String] = []
        for post in posts {
            for stored in try post.store.violations.list(limit: 1000)
            where !lostPlates.contains(stored.violation.plate.compact) {
                let plate = stored.violation.plate.compact
                let violation = park.rows("violations").first { $0["plate_number"] as? String == plate }
                let told = park.rows("violation_outcomes").first {
                    $0["violation_id"] as? String == violation?["id"] as? String
                }
                let shown = stored.outcome
                let isSame =
                    told?["outcome_type"] as? String == shown?.kind.rawValue
                    && (!park.isExtended || told?["acted_by"] as? String == shown?.recordedBy)
                // What a ranger did is lost with the records of his post, and the other one may have heard it.
                let isLost = posts.contains { $0.losses > 0 && shown?.recordedBy == "ranger of \($0.code)" }
                if !isSame, !isLost {
                    problems.append(
                        "\(post.code): \(plate) \(shown?.kind.rawValue ?? "open") by \(shown?.recordedBy ?? "nobody") "
                            + "instead of \(told?["outcome_type"] ?? "open")")
                }
            }
        }
        return problems
    }
}
