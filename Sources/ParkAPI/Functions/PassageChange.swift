import Enforcement
import Foundation

/// What `change-passage` is asked: a passage has another plate, or was none.
package struct PassageChange: Encodable, Sendable {
    /// The same for the same change, so that one that is sent twice is made once.
    package var id: UUID
    package var clientID: UUID
    package var smsClientID: UUID?

    /// Nil withdraws the passage.
    package var plate: Plate?
    package var reason: String
    package var actedBy: String
    package var changedAt: Instant

    package init(
        id: UUID, clientID: UUID, smsClientID: UUID?, plate: Plate?, reason: String, actedBy: String,
        changedAt: Instant
    ) {
        self.id = id
        self.clientID = clientID
        self.smsClientID = smsClientID
        self.plate = plate
        self.reason = reason
        self.actedBy = actedBy
        self.changedAt = changedAt
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case clientID = "client_id"
        case smsClientID = "sms_client_id"
        case plate = "plate_number"
        case reason
        case actedBy = "acted_by"
        case changedAt = "changed_at"
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(id: id, .id)
        try body.write(id: clientID, .clientID)
        try body.write(id: smsClientID, .smsClientID)
        try body.write(plate?.compact, .plate)
        try body.write(text: reason, most: ContractLimits.reason, .reason)
        try body.write(text: actedBy, most: ContractLimits.actedBy, .actedBy)
        try body.write(time: changedAt, .changedAt)
    }
}

/// What it answers.
package struct ChangeAnswer: Codable, Sendable {
    package var changed: Bool

    /// Why nothing was changed.
    package var reason: String?

    /// The reason for a passage that is not there.
    package static let noSuchPassage = "there is no such passage"

    package init(changed: Bool, reason: String? = nil) {
        self.changed = changed
        self.reason = reason
    }
}

/// What `resolve-alert` is asked: a ranger dismissed the overstay alert of an entry.
package struct AlertDismissal: Encodable, Sendable {
    package var clientID: UUID
    package var resolvedAt: Instant
    package var reason: String?
    package var actedBy: String?

    package init(clientID: UUID, resolvedAt: Instant, reason: String?, actedBy: String?) {
        self.clientID = clientID
        self.resolvedAt = resolvedAt
        self.reason = reason
        self.actedBy = actedBy
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case clientID = "client_id"
        case resolvedAt = "resolved_at"
        case reason
        case actedBy = "acted_by"
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(id: clientID, .clientID)
        try body.write(time: resolvedAt, .resolvedAt)
        try body.write(text: reason, most: ContractLimits.reason, .reason)
        try body.write(text: actedBy, most: ContractLimits.actedBy, .actedBy)
    }
}
