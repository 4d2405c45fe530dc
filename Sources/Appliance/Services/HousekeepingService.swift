import Capture
import Enforcement
import Foundation
import Logging
import MachineClock
import ServiceLifecycle
import Storage

/// The appliance's own work: overstay rounds, matches that are pending, what is no longer kept, disk and clock.
///
/// Returns after a graceful shutdown.
struct HousekeepingService: Service {
    let configuration: Configuration
    let store: Store
    let photos: PhotoStore
    let alarms: AlarmBoard
    let desk: PartDesk
    let log: Logger

    private static let beatInterval = Duration.seconds(2)
    private static let roundInterval = TimeSpan.minutes(1)
    private static let cleaningInterval = TimeSpan.hours(24)

    /// Photos that no row names are removed when they are older than this: a younger one may be of a frame in hand.
    private static let orphanAge = TimeSpan.hours(1)

    /// Which cameras the box has now, by a clock that can be believed.
    ///
    /// - Returns: false where it is to be tried again.
    private func notedCameras() -> Bool {
        do {
            let live = configuration.cameras.filter(\.isLive).map(\.name)
            try store.unwatched.noteCameras(live: live, at: BoxClock.now)
            return true
        } catch {
            log.error("which cameras watch can't be kept", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// By a clock that can be believed.
    private func forgetOldTexts() {
        do { try store.keptTexts.dropOld(at: BoxClock.now) } catch {
            log.error("old texts of other boxes can't be removed", metadata: ["error": "\(error)"])
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var lastRound: Instant?
            var lastCleaning: Instant?
            let retention = RetentionWorker(configuration, store: store, photos: photos, alarms: alarms, log: log)
            let backups = BackupWorker(configuration, store: store, alarms: alarms, log: log)
            let evidence = EvidenceKeeper(store: store, alarms: alarms, log: log)
            let salvage = SalvageWorker(configuration, store: store, alarms: alarms, log: log)
            Thread.detachNewThread { salvage.takeAll(at: BoxClock.now) }
            var rounds = MatchingRounds(
                MatchingService(store: store, configuration: configuration), alarms: alarms, log: log)
            var traffic = TrafficKeeper(configuration, store: store, alarms: alarms, log: log)
            var others = PartAlarms(alarms: alarms, folder: desk.folder)
            let reader = HostClockReader(store: store)
            let clock = ClockKeeper(reader: reader, store: store, alarms: alarms, log: log)
            if configuration.isClockSimulated { alarms.clear("clock") }
            let disk = DiskNews(configuration)
            let homecoming = Homecoming(configuration, store: store, alarms: alarms, log: log)
            let began = MachineClock.uptime
            var lastPrepared: Instant?
            var isToNoteCameras = true
            desk.beat(PartNews())
            while !Task.isCancelled {
                if disk.hasMoved(running: MachineClock.uptime - began) { exit(BoxDatabase.diskMovedExitCode) }
                if !configuration.isClockSimulated { clock.look() }
                others.follow()
                if Self.isDue(lastRound, every: Self.roundInterval) {
                    // What is left of it comes with the next beat.
                    lastRound = rounds.next(at: BoxClock.now) ? nil : BoxClock.now
                    alarms.tidy(configuration.alarmScope, at: BoxClock.now)
                    backups.look(at: BoxClock.now)
                    evidence.look(at: BoxClock.now)
                    let isClockTrusted = configuration.isClockSimulated || reader.read().clock.isBelieved
                    retention.look(at: BoxClock.now, isClockTrusted: isClockTrusted)
                    traffic.look(at: BoxClock.now, isClockTrusted: isClockTrusted)
                    if isClockTrusted { forgetOldTexts() }
                    if isClockTrusted, isToNoteCameras { isToNoteCameras = !notedCameras() }
                }
                if Self.isDue(lastPrepared, every: Homecoming.interval) {
                    lastPrepared = BoxClock.now
                    Thread.detachNewThread { homecoming.finish(at: BoxClock.now) }
                }
                if Self.isDue(lastCleaning, every: Self.cleaningInterval) {
                    lastCleaning = BoxClock.now
                    // On a thread of its own: a large file takes a while, and the beat must not wait for it.
                    Thread.detachNewThread {
                        BoxDatabase.lookForDamage(in: store, log: log)
                        clean()
                    }
                }
                desk.fault.strike(.work)
                desk.beat(PartNews())
                try? await Task.sleep(for: Self.beatInterval)
            }
        }
    }

    /// How long a file that is gone is remembered: a folder may be unmounted for a while.
    private static let takenAge = TimeSpan.hours(7 * 24)

    /// A clock that was set back makes it due, so that a wrong date doesn't stop the work for years.
    static func isDue(_ last: Instant?, every interval: TimeSpan, at now: Instant = BoxClock.now) -> Bool {
        guard let last else { return true }
        return now - last >= interval || now < last
    }

    /// Tidies what nothing refers to: at the start and once a day.
    private func clean() {
        do {
            let before = BoxClock.now - Self.orphanAge
            let removed = try photos.removeOrphans(in: store, writtenBefore: before)
            if removed > 0 { log.info("photos without a record removed", metadata: ["count": "\(removed)"]) }
            try forgetTakenFrames()
        } catch {
            log.error("the photos could not be tidied", metadata: ["error": "\(error)"])
        }
    }

    /// Forgets the frames of files that left their folder a while ago.
    private func forgetTakenFrames() throws {
        for camera in configuration.cameras {
            guard case .folder(let path) = camera.kind else { continue }
            let source = FolderSource(camera: camera.name, path: path, mode: .watch)
            let present: Set<String>
            do {
                present = try source.sourceKeys()
            } catch {
                // A folder that can't be listed now may be back tomorrow, and its frames are not to be taken again: what is remembered
                // of them stays. The camera's own alarm says what is wrong with it.
                continue
            }
            try store.frames.forgetTaken(
                camera: camera.name, takenBefore: BoxClock.now - Self.takenAge, except: present)
        }
    }
}

/// The room on the data folder's disk.
package enum DiskSpace {
    /// With less, SQLite can't be sure of its next transaction.
    static let fullBytes = 1 << 20

    static func freeBytes(at path: String) -> Int? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        return Int(figures.f_bavail) * Int(figures.f_frsize)
    }

    static func totalBytes(at path: String) -> Int? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        return Int(figures.f_blocks) * Int(figures.f_frsize)
    }

    /// With fewer names left, photos and the database's own files can't be made. A file system without such a count says zero for all.
    private static let leastFiles = 16

    static let outOfFiles = "The disk takes no more files: passages are recorded without photos."
    static let outOfFilesHint =
        "Remove files that nobody needs from this disk (df -i counts them); photos are added by themselves."

    static func isOutOfFiles(at path: String) -> Bool {
        var figures = statvfs()
        return statvfs(path, &figures) == 0 && figures.f_files > 0 && figures.f_favail < UInt(leastFiles)
    }

    package static func isReadOnly(at path: String) -> Bool {
        var figures = statvfs()
        return statvfs(path, &figures) == 0 && figures.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Why a folder takes no new file; 0 when it takes one. A file system that was stopped by an error need not say that it can only be
    /// read, and rights don't say that a folder is encrypted and closed: only a try tells.
    static func refusal(at path: String) -> CInt {
        let file = path + "/.try-\(getpid())"
        let opened = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard opened >= 0 else { return errno }
        close(opened)
        unlink(file)
        return 0
    }
}
