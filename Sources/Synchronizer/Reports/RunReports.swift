import Enforcement
import Foundation
import ParkAPI
import Storage

/// Telling the server how synchronization goes: last of all, and never in the way.
final class RunReports {
    private static let runsAReport = 100

    private let context: SyncContext
    private let reviews: ReviewExchange

    /// When the state of the box is told again, on `SyncClock.uptime`.
    private var nextState: Instant

    init(_ context: SyncContext, reviews: ReviewExchange) {
        self.context = context
        self.reviews = reviews
        nextState = context.clock.uptime
    }

    /// Reports runs that did something and were not reported yet, and what waits. What goes wrong is tried again with the next cycle.
    func tell() throws {
        guard context.dialect?.schema == .ours, let tokens = context.session.tokens else { return }
        do {
            try reviews.tell()
            try AlertDeliveries(context: context).tell()
            try EvidenceSender(context: context).send()
            try reportNewRuns(of: tokens.userID)
            guard context.clock.uptime >= nextState else { return }
            try reportState(of: tokens.userID)
            nextState = context.clock.uptime + context.settings.referenceInterval
        } catch is CycleEnd {
            return
        }
    }

    private func reportNewRuns(of user: UUID) throws {
        let known = try context.store.cursors.value(CursorName.reportedRuns) ?? 0
        let runs = try context.store.runs.list(limit: Self.runsAReport * 5)
            .filter { $0.startedAt.milliseconds > known && $0.isWorthTelling }.suffix(Self.runsAReport).reversed()
        guard let last = runs.last else { return }
        let rows = runs.map {
            RunUpload(
                id: runID($0), user: user, device: context.server.deviceID, startedAt: $0.startedAt,
                endedAt: $0.finishedAt, pushed: $0.pushed, pulled: $0.pulled, photos: $0.photos, error: $0.failure)
        }
        let (verdict, _) = try context.askForVerdict(.insert(rows, RowQuery<RunColumn>().onConflict([.id]), .skipKnown))
        switch verdict {
        case .accepted, .duplicate, .refused:
            // Refused ones will not be taken later either.
            try context.store.cursors.set(
                SyncCursor(name: CursorName.reportedRuns, value: last.startedAt.milliseconds), at: context.clock.now)
        case .unauthorised, .forbidden, .unwell, .silent, .tooLong, .unsendable: break
        }
    }

    /// The same id for the same run, so that a report that is sent twice is one row.
    private func runID(_ run: SyncRun) -> UUID { context.server.stableID(String(run.startedAt.milliseconds)) }

    private func reportState(of user: UUID) throws {
        let counts = try context.store.queue.counts()
        let waiting =
            (counts[.pending] ?? 0) + (counts[.inFlight] ?? 0) + (counts[.failed] ?? 0)
            - (try context.store.queue.setAsideCount())
        let row = DeviceUpload(
            user: user, device: context.server.deviceID, at: context.clock.now, pending: waiting,
            appVersion: context.server.appVersion)
        _ = try context.askForVerdict(
            .insert(row, RowQuery<DeviceColumn>().onConflict([.user, .device]), .replaceKnown))
    }
}

extension SyncRun {
    /// A cycle that found nothing to do is no news: a quiet post has nearly three thousand a day.
    fileprivate var isWorthTelling: Bool { pushed + pulled + photos > 0 || failure != nil }
}
