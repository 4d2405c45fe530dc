import Enforcement
import Foundation
import Storage

/// An outcome as programs get it.
package struct ListedOutcome: Encodable {
    package let violationID: String
    package let plate: String
    package let kind: String
    package let fineAmount: Double?
    package let notes: String?
    package let recordedBy: String
    package let recordedAt: String

    package enum CodingKeys: String, CodingKey {
        case violationID = "violation_id"
        case plate
        case kind = "outcome_type"
        case fineAmount = "fine_amount"
        case notes
        case recordedBy = "recorded_by"
        case recordedAt = "recorded_at"
    }

    package init(_ outcome: Outcome, of violation: Violation) {
        violationID = violation.id.uuidString.lowercased()
        plate = violation.plate.compact
        kind = outcome.kind.rawValue
        fineAmount = outcome.fineAmount
        notes = outcome.notes
        recordedBy = outcome.recordedBy
        recordedAt = outcome.recordedAt.iso8601
    }
}
