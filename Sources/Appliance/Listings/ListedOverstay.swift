import Enforcement
import Foundation
import Storage

/// An overstay alert as programs get it.
package struct ListedOverstay: Encodable {
    package let id: Int64
    package let entryClientID: String
    package let plate: String
    package let text: String
    package let vehicleType: String
    package let entryTime: String
    package let expectedExitBy: String
    package let raisedAt: String
    package let isDoubtful: Bool
    /// What a doubtful one waits for.
    package let waitsFor: [String]
    package let state: String
    package let dismissedBy: String?
    package let dismissedReason: String?

    package enum CodingKeys: String, CodingKey {
        case id
        case entryClientID = "entry_client_id"
        case plate, text
        case vehicleType = "vehicle_type"
        case entryTime = "entry_time"
        case expectedExitBy = "expected_exit_by"
        case raisedAt = "raised_at"
        case isDoubtful = "doubtful"
        case waitsFor = "waits_for"
        case state
        case dismissedBy = "dismissed_by"
        case dismissedReason = "dismissed_reason"
    }

    package init(_ stored: StoredOverstayAlert) {
        id = stored.id
        entryClientID = stored.alert.entryClientID.uuidString.lowercased()
        plate = stored.alert.plate.compact
        text = stored.alert.plate.canonical
        vehicleType = stored.alert.vehicleType.rawValue
        entryTime = stored.alert.entryTime.iso8601
        expectedExitBy = stored.alert.expectedExitBy.iso8601
        raisedAt = stored.raisedAt.iso8601
        isDoubtful = stored.alert.isDoubtful
        waitsFor = stored.doubts.map { Self.text($0) }
        state = Self.state(stored)
        dismissedBy = stored.dismissedBy
        dismissedReason = stored.dismissedReason
    }

    package static func text(_ doubt: OverstayDoubt) -> String {
        switch doubt {
        case .looksAlike(let plate, let at): "\(plate) looks alike, seen at the other post \(at.nepalText)"
        case .waitsForReview(let at):
            "who passed the other post about \(at.nepalText) is not on record there, or not yet"
        case .unwatched(let start, let end):
            "nobody knows who passed the other post from \(start.nepalText) to \(end.nepalText)"
        case .toldByText(let at):
            "an SMS tells of it at the other post \(at.nepalText), its record has not come"
        case .reviewsUnknown: "the other post doesn't tell what waits for review there"
        }
    }

    package static func state(_ stored: StoredOverstayAlert) -> String {
        stored.isOpen ? "open" : stored.resolvedAt != nil ? "resolved" : "dismissed"
    }
}
