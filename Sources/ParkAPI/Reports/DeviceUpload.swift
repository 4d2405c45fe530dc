import Enforcement
import Foundation

/// The columns of `sync_metadata`.
package enum DeviceColumn: String, TableColumn {
    case user = "user_id"
    case device = "device_id"
    case lastPushAt = "last_push_at"
    case lastPullAt = "last_pull_at"
    case pendingCount = "pending_count"
    case appVersion = "app_version"
    case updatedAt = "updated_at"

    package static var table: Table { .syncMetadata }
}

/// How the synchronization of this box stands.
package struct DeviceUpload: Encodable, Sendable {
    package var user: UUID
    package var device: String
    package var at: Instant
    package var pending: Int
    package var appVersion: String

    package init(user: UUID, device: String, at: Instant, pending: Int, appVersion: String) {
        self.user = user
        self.device = device
        self.at = at
        self.pending = pending
        self.appVersion = appVersion
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: DeviceColumn.self)
        try row.write(id: user, .user)
        try row.write(device, .device)
        try row.write(time: at, .lastPushAt)
        try row.write(time: at, .lastPullAt)
        try row.write(pending, .pendingCount)
        try row.write(appVersion, .appVersion)
        try row.write(time: at, .updatedAt)
    }
}

/// The columns of `device_settings`.
package enum SettingsColumn: String, TableColumn {
    case checkpost = "checkpost_id"
    case settings

    package static var table: Table { .deviceSettings }
}

/// What the warden set for a post.
package struct SettingsRow: Decodable, Sendable {
    /// By their names; none where the server's are no object.
    package var settings: [String: JSONValue]

    package init(from decoder: any Decoder) throws {
        let value: JSONValue? = try Cells(decoder, of: SettingsColumn.self).optional(.settings)
        settings = if case .object(let fields) = value { fields } else { [:] }
    }
}
