import Enforcement
import Foundation

/// The columns of `sync_runs`.
package enum RunColumn: String, TableColumn {
    case id
    case user = "user_id"
    case device = "device_id"
    case kind
    case startedAt = "started_at"
    case endedAt = "ended_at"
    case pushed = "pushed_count"
    case pulled = "pulled_count"
    case photos = "photo_count"
    case error

    package static var table: Table { .syncRuns }
}

/// What one cycle of the synchronization did.
package struct RunUpload: Encodable, Sendable {
    package var id: UUID
    package var user: UUID
    package var device: String
    package var startedAt: Instant
    package var endedAt: Instant
    package var pushed: Int
    package var pulled: Int
    package var photos: Int
    package var error: String?

    package init(
        id: UUID, user: UUID, device: String, startedAt: Instant, endedAt: Instant, pushed: Int, pulled: Int,
        photos: Int, error: String?
    ) {
        self.id = id
        self.user = user
        self.device = device
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.pushed = pushed
        self.pulled = pulled
        self.photos = photos
        self.error = error
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: RunColumn.self)
        try row.write(id: id, .id)
        try row.write(id: user, .user)
        try row.write(device, .device)
        try row.write("cycle", .kind)
        try row.write(time: startedAt, .startedAt)
        try row.write(time: endedAt, .endedAt)
        try row.write(pushed, .pushed)
        try row.write(pulled, .pulled)
        try row.write(photos, .photos)
        try row.write(text: error, most: ContractLimits.runError, .error)
    }
}
