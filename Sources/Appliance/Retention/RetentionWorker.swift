import Enforcement
import Foundation
import Logging
import Storage
import Synchronization

/// Performs the rounds of removing.
///
/// A round runs on a thread of its own, since it may take minutes after years; each of its steps is one small transaction.
final class RetentionWorker: Sendable {
    let configuration: Configuration
    let store: Store
    let alarms: AlarmBoard
    let disk: DiskGauge
    private let photos: PhotoStore
    private let log: Logger

    struct State {
        var isAtWork = false
        var settings: RetentionSettings?
        var lastRound = RetentionRound()
        var lastRoundAt: Instant?

        /// A short disk that had nothing left to give is not asked again at once.
        var restsUntil: Instant?
        var removable: (bytes: Int, at: Instant)?
        var earlyAt: Instant?
    }

    let state = Mutex(State())

    private static let roundInterval = TimeSpan.hours(6)
    private static let restAfterNothing = TimeSpan.hours(1)

    /// Readings of decided sightings and the other post's unmatched passages are of no use after this.
    private static let leftoverAge = TimeSpan.days(90)

    init(
        _ configuration: Configuration, store: Store, photos: PhotoStore, alarms: AlarmBoard, disk: DiskGauge? = nil,
        log: Logger
    ) {
        self.configuration = configuration
        self.store = store
        self.photos = photos
        self.alarms = alarms
        self.disk = disk ?? .live(configuration.dataFolder)
        self.log = log
    }

    /// Starts a round where one is due and none is under way, and says how the disk fills.
    ///
    /// - Parameter isClockTrusted: otherwise nothing goes by its age.
    func look(at now: Instant, isClockTrusted: Bool) {
        guard isDue(at: now) else { return tellDisk(at: now) }
        let isFree = state.withLock { state in
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        guard isFree else { return }
        Thread.detachNewThread { [self] in
            defer { state.withLock { $0.isAtWork = false } }
            do {
                try round(at: now, isClockTrusted: isClockTrusted)
            } catch {
                log.error("what is no longer kept could not be removed", metadata: ["error": "\(error)"])
            }
            tellDisk(at: now)
        }
    }

    private func isDue(at now: Instant) -> Bool {
        let known = state.withLock { $0 }
        guard let last = known.lastRoundAt, now >= last, now - last < Self.roundInterval else { return true }
        return isDiskShort(wasShort: false) && known.restsUntil.map { now >= $0 } ?? true
    }

    /// Removes what is to go now, to the end of the round.
    @discardableResult
    func round(at now: Instant, isClockTrusted: Bool) throws -> RetentionRound {
        // Where it fails it is not tried again with every beat.
        state.withLock { $0.lastRoundAt = now }
        var policy = try policy()
        // By a wrong clock no counterpart is too late.
        if !isClockTrusted { policy.window = .days(36_500) }
        let folders = [false, true].map { _ in FolderWalk(configuration.cameras, store: store, alarms: alarms) }
        var round = RetentionRound(goesByAge: isClockTrusted)
        var (place, current, isShort) = (RetentionTable.Place.start, RetentionRound.Step?.none, false)
        var counts: [RetentionRound.Step: (count: Int, bytes: Int)] = [:]
        while true {
            isShort = isDiskShort(wasShort: isShort)
            guard let step = round.next(isShort: isShort) else { break }
            if step != current { (current, place) = (step, .start) }
            let done = try perform(step, policy, folders, after: place, at: now)
            place = done.place
            round.finished(step, removed: done.count, hasMore: done.hasMore)
            let known = counts[step] ?? (0, 0)
            counts[step] = (known.count + done.count, known.bytes + done.bytes)
        }
        finish(round, isShort: isShort, at: now)
        let lines = counts.filter { $0.value.count > 0 }
        if !lines.isEmpty {
            log.notice(
                "removed",
                metadata: Dictionary(
                    uniqueKeysWithValues: lines.map {
                        ("\($0.key)", "\($0.value.count), \(Wording.bytes($0.value.bytes))")
                    }))
        }
        return round
    }

    private func perform(
        _ step: RetentionRound.Step, _ policy: RetentionPolicy, _ folders: [FolderWalk],
        after place: RetentionTable.Place, at now: Instant
    ) throws -> RetentionTable.Step {
        let limit = RetentionRound.stepRows
        var done: RetentionTable.Step
        switch step {
        case .folderPictures: return try take(folders[0], before: now - policy.settings.folderPictures, at: now)
        case .earlyFolderPictures: return try take(folders[1], before: now, at: now)
        case .superseded:
            let gone = try photos.removeUnreferenced(
                in: store, keptBefore: now - RetentionPolicy.handAge, limit: limit, at: now)
            done = RetentionTable.Step(count: gone.count, hasMore: gone.count == limit)
            done.bytes = gone.reduce(0) { $0 + $1.bytes }
            return done
        case .photos, .earlyCompliantPhotos, .earlyOtherPhotos:
            done = try store.retention.removePhotos(policy, need: step.need, after: place, limit: limit, at: now)
        case .violations: done = try store.retention.removeViolations(policy, after: place, limit: limit, at: now)
        case .passages: done = try store.retention.removePassages(policy, after: place, limit: limit, at: now)
        case .leftovers:
            let cutoff = now - Self.leftoverAge
            let sightings = try store.sightings.prune(olderThan: cutoff, limit: limit)
            let others = try store.otherPost.prune(olderThan: cutoff, limit: limit)
            return RetentionTable.Step(count: sightings + others, hasMore: max(sightings, others) == limit)
        }
        for photo in done.files { try photos.remove(photo) }
        done.bytes = done.files.reduce(0) { $0 + $1.bytes }
        return done
    }

    private func take(_ walk: FolderWalk, before cutoff: Instant, at now: Instant) throws -> RetentionTable.Step {
        let taken = try walk.step(answeredBefore: cutoff, limit: RetentionRound.stepRows)
        try store.retention.note(.folderPicture, count: taken.count, bytes: taken.bytes, at: now)
        var step = RetentionTable.Step(count: taken.count, hasMore: taken.hasMore)
        step.bytes = taken.bytes
        return step
    }

    private func finish(_ round: RetentionRound, isShort: Bool, at now: Instant) {
        state.withLock { state in
            state.lastRound = round
            if round.removedEarly { state.earlyAt = now }
            state.restsUntil = isShort && !round.removedEarly ? now + Self.restAfterNothing : nil
        }
    }

    func isDiskShort(wasShort: Bool) -> Bool {
        guard let plan, let free = disk.freeBytes() else { return false }
        return free < (wasShort ? plan.enoughBytes : plan.shortBytes)
    }

    var plan: DiskRoomPlan? { disk.totalBytes().map(DiskRoomPlan.init) }

    /// The rules as the file and the server set them now; a change of them is in the log.
    func policy() throws -> RetentionPolicy {
        let server = try ServerSettings(store)
        let (settings, _) = RetentionTuning.settings(of: configuration.retention, under: server)
        let isNew = state.withLock { state in
            defer { state.settings = settings }
            return state.settings != settings
        }
        if isNew { log.notice("what is kept how long", metadata: ["days": "\(RetentionTuning.text(settings))"]) }
        let hasServer = try configuration.server != nil || store.retention.hasEverSynced()
        let sync = SyncTuning.settings(of: configuration.sync, under: server).0
        return RetentionPolicy(
            settings: settings, window: server.matchingWindow ?? configuration.matcher.window, hasServer: hasServer,
            // Under a bound more may wait than ever goes: what waits doesn't stay for that beyond its days.
            sendsPhotos: hasServer && sync.photosACycle > 0 && sync.photoAllowance.megabytesAMonth == nil)
    }
}
