import Enforcement
import Foundation
import Storage

/// A passage as programs get it, and as the other post takes it in from a file.
package struct ListedPassage: Encodable {
    package let clientID: String
    package let plate: String
    package let text: String
    package let raw: String
    package let vehicleType: String
    package let checkpost: String
    package let recordedAt: String
    package let clockState: String
    package let confidence: Double?
    package let origin: String
    package let photoSHA256: String?
    package let actedBy: String?
    package let isCorrected: Bool
    package let isWithdrawn: Bool
    package let isMatched: Bool
    package let counterpart: String?
    package let violation: String?
    package let travel: String?
    package let syncState: String?

    /// As a loop or a radar at the post measured it.
    package let speedAtPostKmh: Double?

    /// The id of its text, under which the server may tell it; nil where none was sent.
    package let smsClientID: String?

    /// Only in the last row of an export: what waits for review at the post.
    package var postReviews: PostReviewsRow?

    package enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case plate, text, raw
        case vehicleType = "vehicle_type"
        case checkpost
        case recordedAt = "recorded_at"
        case clockState = "clock_state"
        case confidence, origin
        case photoSHA256 = "photo_sha256"
        case actedBy = "acted_by"
        case isCorrected = "corrected"
        case isWithdrawn = "withdrawn"
        case isMatched = "matched"
        case counterpart, violation, travel
        case syncState = "sync_state"
        case speedAtPostKmh = "speed_at_post_kmh"
        case smsClientID = "sms_client_id"
        case postReviews = "post_reviews"
    }

    package init(_ stored: StoredPassage) {
        let passage = stored.passage
        clientID = passage.clientID.uuidString.lowercased()
        plate = passage.plate.compact
        text = passage.plate.canonical
        raw = passage.plateRaw
        vehicleType = passage.vehicleType.rawValue
        checkpost = passage.checkpostCode
        recordedAt = passage.recordedAt.iso8601
        clockState = passage.clockState.rawValue
        confidence = passage.confidence
        origin = passage.origin.rawValue
        photoSHA256 = passage.photoSHA256
        actedBy = passage.actedBy
        isCorrected = stored.isCorrected
        isWithdrawn = stored.withdrawnAt != nil
        isMatched = stored.isMatched
        counterpart = stored.counterpart?.clientID.uuidString.lowercased()
        violation = stored.violation?.kind.rawValue
        travel = passage.travel?.rawValue
        syncState = stored.queueStatus?.rawValue
        speedAtPostKmh = stored.speedAtPostKmh
        smsClientID = stored.smsClientID?.uuidString.lowercased()
    }
}
