import Enforcement
import Foundation

/// The columns of `violation_outcomes`.
package enum OutcomeColumn: String, NumberedColumn {
    case id
    case violation = "violation_id"
    case kind = "outcome_type"
    case fineAmount = "fine_amount"
    case notes
    case recordedBy = "recorded_by"
    case recordedAt = "recorded_at"
    case actedBy = "acted_by"
    case serverSequence = "server_seq"

    package static var table: Table { .violationOutcomes }
}

/// What was done about a violation, as the server has it.
package struct OutcomeRow: FollowedRow, Sendable {
    package typealias Column = OutcomeColumn

    package var violation: UUID

    /// Nil for a kind that this box doesn't know.
    package var kind: Outcome.Kind?
    package var fineAmount: Double?
    package var notes: String?

    /// The account.
    package var recordedBy: UUID?
    package var recordedAt: Instant

    /// The person, as far as the client says.
    package var actedBy: String?
    package var serverSequence: Int64?

    package var followedAt: Instant? { recordedAt }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: OutcomeColumn.self)
        violation = try cell(.violation)
        kind = Outcome.Kind(rawValue: try cell(.kind))
        fineAmount = try cell.optional(.fineAmount)
        notes = try cell.optional(.notes)
        recordedBy = try cell.optional(.recordedBy)
        recordedAt = try cell.time(.recordedAt)
        actedBy = try cell.optional(.actedBy)
        serverSequence = try cell.optional(.serverSequence)
    }
}

/// An outcome as it is sent: a row of its own, or what replaces the one that the server has.
package struct OutcomeUpload: Encodable, Sendable {
    package var outcome: Outcome

    /// Whether the server has a column for the person who acted.
    package var namesPerson: Bool

    /// Of what violation and by what account; nil for what replaces a row.
    package var key: Key?

    package struct Key: Sendable {
        package var violation: UUID
        package var recordedBy: UUID

        package init(violation: UUID, recordedBy: UUID) {
            self.violation = violation
            self.recordedBy = recordedBy
        }
    }

    package init(_ outcome: Outcome, namesPerson: Bool, key: Key?) {
        self.outcome = outcome
        self.namesPerson = namesPerson
        self.key = key
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: OutcomeColumn.self)
        try row.write(outcome.kind.rawValue, .kind)
        try row.write(outcome.fineAmount, .fineAmount)
        try row.write(text: outcome.notes, most: ContractLimits.notes, .notes)
        if namesPerson { try row.write(text: outcome.recordedBy, most: ContractLimits.actedBy, .actedBy) }
        guard let key else { return }
        try row.write(id: key.violation, .violation)
        try row.write(id: key.recordedBy, .recordedBy)
        try row.write(time: outcome.recordedAt, .recordedAt)
    }
}

/// That a violation has an outcome.
package struct SettledRow: Decodable, Sendable {
    package var violation: UUID

    package init(from decoder: any Decoder) throws {
        violation = try Cells(decoder, of: OutcomeColumn.self)(.violation)
    }
}
