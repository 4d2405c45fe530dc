/// The columns of `vehicle_passages`.
package enum PassageColumn: String, NumberedColumn {
    case id
    case clientID = "client_id"
    case smsClientID = "sms_client_id"
    case plate = "plate_number"
    case plateRaw = "plate_number_raw"
    case vehicleType = "vehicle_type"
    case checkpost = "checkpost_id"
    case segment = "segment_id"
    case recordedAt = "recorded_at"
    case receivedAt = "server_received_at"
    case ranger = "ranger_id"
    case source
    case actedBy = "acted_by"
    case confidence
    case clockState = "clock_state"
    case travel
    case photoPath = "photo_path"
    case photoSHA256 = "photo_sha256"
    case match = "matched_passage_id"
    /// Of a copy on a further road of its post: the passage itself.
    case copyOf = "copy_of"
    case serverSequence = "server_seq"

    package static var table: Table { .passages }

    /// By which the server recognises a passage that it has.
    package static let identities: [PassageColumn] = [.clientID, .smsClientID]
}

/// How a passage came to the server.
package enum PassageSource: String, Sendable, CaseIterable {
    case app
    case sms
}
