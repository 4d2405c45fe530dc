import Enforcement
import Foundation
import Pages

/// What an admin wants of a passage: another plate or type, or that it is taken off the record.
struct PassageOrder: Sendable {
    private let changeID: String
    /// Nil for a withdrawal.
    private let plate: Plate?
    private let type: VehicleType?
    private let reason: String

    /// - Throws: what is missing in the form, by the name of a text.
    init(_ fields: Fields, isWithdrawal: Bool) throws {
        guard let change = fields["change"].flatMap(UUID.init(uuidString:)) else {
            throw APIError(.unprocessableContent, "error_input", "change is missing")
        }
        changeID = change.uuidString.lowercased()
        if isWithdrawal {
            (plate, type) = (nil, nil)
        } else {
            guard let typed = fields["plate"], let plate = PlateNormalizer.normalize(typed) else {
                throw APIError(.unprocessableContent, "error_plate", "That is no plate")
            }
            self.plate = plate
            let wanted = fields["type"] ?? ""
            type = VehicleType(rawValue: wanted)
            guard type != nil || wanted.isEmpty else {
                throw APIError(.unprocessableContent, "error_input", "There is no such type")
            }
        }
        reason = try fields.reason()
    }

    /// As `checkpost.change_passage` takes it.
    ///
    /// - Parameter clientID: of the passage that the page was of.
    func json(_ visit: WardenVisit, of clientID: String) throws -> String {
        var change: [String: Any] = [
            "id": changeID, "client_id": clientID, "reason": reason, "acted_by": visit.person.fullName,
            "changed_at": visit.now.iso8601,
        ]
        change["plate_number"] = plate?.compact
        change["vehicle_type"] = type?.rawValue
        return String(decoding: try JSONSerialization.data(withJSONObject: change), as: UTF8.self)
    }
}
