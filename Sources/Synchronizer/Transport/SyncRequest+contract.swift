import Enforcement
import Foundation
import ParkAPI

/// The server's tables, functions and accounts as requests.
extension SyncRequest {
    /// Reads rows.
    package static func read<Column>(_ rows: RowQuery<Column>, timeout: TimeSpan = .seconds(60)) -> SyncRequest {
        SyncRequest(.get, rows.path, query: rows.items, timeout: timeout)
    }

    /// Inserts one row, or a list of them.
    package static func insert<Column>(
        _ body: some Encodable, _ rows: RowQuery<Column>, _ preference: RowPreference
    ) throws -> SyncRequest {
        SyncRequest(
            .post, rows.path, query: rows.items, headers: [RowPreference.field: preference.rawValue],
            body: try ParkJSON.data(body))
    }

    /// Changes rows, and has those told that were changed: row level security passes over others without a word.
    package static func update<Column>(_ rows: RowQuery<Column>, _ patch: some Encodable) throws -> SyncRequest {
        SyncRequest(
            .patch, rows.path, query: rows.items, headers: [RowPreference.field: RowPreference.tellRows.rawValue],
            body: try ParkJSON.data(patch))
    }

    /// Deletes rows, and has those told that were deleted.
    package static func delete<Column>(_ rows: RowQuery<Column>) -> SyncRequest {
        SyncRequest(
            .delete, rows.path, query: rows.items, headers: [RowPreference.field: RowPreference.tellRows.rawValue])
    }

    package static func signIn(_ grant: PasswordGrant, timeout: TimeSpan = .seconds(60)) throws -> SyncRequest {
        SyncRequest(
            .post, ParkPath.signIn, query: [("grant_type", PasswordGrant.type)], body: try ParkJSON.data(grant),
            timeout: timeout)
    }

    package static func renew(_ grant: RefreshGrant) throws -> SyncRequest {
        SyncRequest(
            .post, ParkPath.signIn, query: [("grant_type", RefreshGrant.type)], body: try ParkJSON.data(grant))
    }
}
