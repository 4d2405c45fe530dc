import Enforcement
import Foundation

/// The server's tables that a box reads or writes. Their columns are spelled once, by a ``TableColumn`` each.
package enum Table: String, Sendable, CaseIterable {
    case boxUpdates = "box_updates"
    case checkposts
    case deletedPassages = "deleted_passages"
    case withdrawnViolations = "withdrawn_violations"
    case deviceSettings = "device_settings"
    case highwaySegments = "highway_segments"
    case listedPlates = "listed_plates"
    case passageChanges = "passage_changes"
    case passages = "vehicle_passages"
    case overstayAlerts = "proactive_overstay_alerts"
    case postReviews = "post_reviews"
    case syncMetadata = "sync_metadata"
    case syncRuns = "sync_runs"
    case userProfiles = "user_profiles"
    case violationOutcomes = "violation_outcomes"
    case violations

    package var path: String { "\(ParkPath.tables)/\(rawValue)" }
}

/// Where the server's parts are.
package enum ParkPath {
    package static let tables = "/rest/v1"
    package static let databaseFunctions = "/rest/v1/rpc"
    package static let functions = "/functions/v1"
    package static let photos = "/storage/v1/object"
    package static let updates = "/updates/v1"
    package static let changes = "/changes/v1"
    package static let signIn = "/auth/v1/token"
}

/// The columns of a table. A row's `CodingKeys`, so that nobody else spells them.
package protocol TableColumn: CodingKey, RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    static var table: Table { get }
}

/// The columns of a table whose rows have an id and the server's numbers.
package protocol NumberedColumn: TableColumn {
    static var id: Self { get }
    static var serverSequence: Self { get }
}

/// A row that pages of a table are followed by.
package protocol FollowedRow: Decodable {
    associatedtype Column: NumberedColumn

    /// The server's number; nil at a server without them.
    var serverSequence: Int64? { get }

    /// The time that pages go by where there are no numbers.
    var followedAt: Instant? { get }

    /// By which row it is seen later whether the server is still the one that told it; nil for rows that tell nothing of that.
    var mark: UUID? { get }
}

extension FollowedRow {
    package var mark: UUID? { nil }
}
