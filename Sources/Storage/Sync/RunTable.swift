import Enforcement
import GRDB

/// What one cycle of synchronization did.
package struct SyncRun: Sendable, Equatable {
    package var startedAt: Instant
    package var finishedAt: Instant
    package var pushed: Int
    package var pulled: Int
    package var photos: Int

    /// Why it ended early; nil when it did all it could.
    package var failure: String?

    package init(
        startedAt: Instant, finishedAt: Instant, pushed: Int, pulled: Int, photos: Int, failure: String? = nil
    ) {
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.pushed = pushed
        self.pulled = pulled
        self.photos = photos
        self.failure = failure
    }
}

/// What the cycles of synchronization did.
package struct RunTable: Table {
    let store: Store
}

extension RunTable {
    /// How many runs are remembered: a day and more of one every 30 seconds.
    static let maximumSyncRuns: Int64 = 3000

    package func record(_ run: SyncRun) throws {
        try write("Recording a synchronization") { db in
            try db.execute(
                cached: """
                    INSERT INTO sync_runs (started_at, finished_at, pushed, pulled, photos, failure)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    run.startedAt.milliseconds, run.finishedAt.milliseconds, run.pushed, run.pulled, run.photos,
                    run.failure,
                ])
            try db.execute(
                cached: "DELETE FROM sync_runs WHERE id <= ?", arguments: [db.lastInsertedRowID - Self.maximumSyncRuns])
        }
    }

    /// The last runs, the newest first.
    package func list(limit: Int = 20) throws -> [SyncRun] {
        try read("Reading the synchronizations") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM sync_runs ORDER BY id DESC LIMIT ?", arguments: [limit]).map {
                SyncRun(
                    startedAt: try $0.instant("started_at"), finishedAt: try $0.instant("finished_at"),
                    pushed: try $0.integer("pushed"), pulled: try $0.integer("pulled"),
                    photos: try $0.integer("photos"), failure: try $0.optionalText("failure"))
            }
        }
    }
}
