import Enforcement
import Foundation
import ParkAPI
import Storage

/// Telling the server how synchronization goes: last of all, and never in the way.
extension SyncEngine {
    private static let runsAReport = 100

    /// Reports runs that were not reported yet, and what waits. What goes wrong is tried again with the next cycle.
    func reportRuns() throws {
        guard dialect?.schema == .ours, let tokens else { return }
        do {
            try tellReviews()
            try reportNewRuns(of: tokens.userID)
            guard clock.uptime >= nextMetadata else { return }
            try reportState(of: tokens.userID)
            nextMetadata = clock.uptime + settings.referenceInterval
        } catch is CycleEnd {
            return
        }
    }

    private func reportNewRuns(of user: UUID) throws {
        let known = try store.cursor(CursorName.reportedRuns) ?? 0
        let runs = try store.syncRuns(limit: Self.runsAReport * 5)
            .filter { $0.startedAt.milliseconds > known }.suffix(Self.runsAReport).reversed()
        guard let last = runs.last else { return }
        let rows = runs.map {
            RunUpload(
                id: runID($0), user: user, device: server.deviceID, startedAt: $0.startedAt, endedAt: $0.finishedAt,
                pushed: $0.pushed, pulled: $0.pulled, photos: $0.photos, error: $0.failure)
        }
        let (verdict, _) = try askForVerdict(.insert(rows, RowQuery<RunColumn>().onConflict([.id]), .skipKnown))
        switch verdict {
        case .accepted, .duplicate, .refused:
            // Refused ones will not be taken later either.
            try store.set(
                SyncCursor(name: CursorName.reportedRuns, value: last.startedAt.milliseconds), at: clock.now)
        case .unauthorised, .forbidden, .unwell, .silent, .tooLong, .unsendable: break
        }
    }

    /// The same id for the same run, so that a report that is sent twice is one row.
    private func runID(_ run: SyncRun) -> UUID { server.stableID(String(run.startedAt.milliseconds)) }

    private func reportState(of user: UUID) throws {
        let counts = try store.queueCounts()
        let waiting =
            (counts[.pending] ?? 0) + (counts[.inFlight] ?? 0) + (counts[.failed] ?? 0)
            - (try store.setAsideCount())
        let row = DeviceUpload(
            user: user, device: server.deviceID, at: clock.now, pending: waiting, appVersion: server.appVersion)
        _ = try askForVerdict(.insert(row, RowQuery<DeviceColumn>().onConflict([.user, .device]), .replaceKnown))
    }
}
