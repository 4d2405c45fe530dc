import Enforcement
import Foundation

/// A passage as the server tells it: the other post's, to be matched here, or this post's, to be restored.
package struct PassageRow: FollowedRow, Sendable {
    package typealias Column = PassageColumn

    package var id: UUID
    package var clientID: UUID
    package var plate: String
    package var plateRaw: String?
    package var vehicleType: VehicleType
    package var checkpost: UUID?
    package var recordedAt: Instant
    package var receivedAt: Instant?

    /// Nil for a word that this box doesn't know.
    package var source: PassageSource?
    package var match: UUID?
    package var smsClientID: UUID?
    package var actedBy: String?
    package var confidence: Double?
    package var clockState: ClockState

    /// Nil where it isn't known, from a server that has no such column, and for a word that this box doesn't know.
    package var travel: Travel?
    package var photoPath: String?
    package var photoSHA256: String?

    /// The passage that it is a copy of, on a further road of its post.
    package var copyOf: UUID?
    package var serverSequence: Int64?

    package var followedAt: Instant? { receivedAt }
    package var mark: UUID? { id }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: PassageColumn.self)
        id = try cell(.id)
        clientID = try cell(.clientID)
        plate = try cell(.plate)
        plateRaw = try cell.optional(.plateRaw)
        vehicleType = VehicleType(rawValue: try cell(.vehicleType)) ?? .other
        checkpost = try cell.optional(.checkpost)
        recordedAt = try cell.time(.recordedAt)
        receivedAt = try cell.optionalTime(.receivedAt)
        source = try cell.optional(.source).flatMap(PassageSource.init(rawValue:))
        match = try cell.optional(.match)
        smsClientID = try cell.optional(.smsClientID)
        actedBy = try cell.optional(.actedBy)
        confidence = try cell.optional(.confidence)
        // What says nothing of its clock counts as trusted.
        clockState = try cell.optional(.clockState).flatMap(ClockState.init(rawValue:)) ?? .synchronised
        travel = try cell.optional(.travel).flatMap(Travel.init(rawValue:))
        photoPath = try cell.optional(.photoPath)
        photoSHA256 = try cell.optional(.photoSHA256)
        copyOf = try cell.optional(.copyOf)
        serverSequence = try cell.optional(.serverSequence)
    }
}

/// What the server has of a passage that is known here: as much of it as was asked for.
package struct KnownPassageRow: FollowedRow, Sendable {
    package typealias Column = PassageColumn

    package var id: UUID
    package var clientID: UUID
    package var plate: String?
    package var match: UUID?
    package var photoPath: String?
    package var recordedAt: Instant?
    package var serverSequence: Int64?

    package var followedAt: Instant? { recordedAt }
    package var mark: UUID? { id }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: PassageColumn.self)
        id = try cell(.id)
        clientID = try cell(.clientID)
        plate = try cell.optional(.plate)
        match = try cell.optional(.match)
        photoPath = try cell.optional(.photoPath)
        recordedAt = try cell.optionalTime(.recordedAt)
        serverSequence = try cell.optional(.serverSequence)
    }
}
