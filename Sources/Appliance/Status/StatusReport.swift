import Enforcement
import Foundation
import Storage

/// The state of the appliance, gathered without its help: it may not be running.
package struct StatusReport: Encodable {
    package struct Problem: Encodable {
        /// The same for the same trouble: `camera.gate`, `disk`.
        package let name: String
        package let severity: String

        /// Nil for what was found at this moment.
        var since: Instant?
        package let message: String

        /// What to do.
        package let hint: String?
    }

    struct Unreadable: Encodable {
        let camera: String
        let file: String?
        let reason: String
        let at: String
    }

    package struct Figures: Encodable {
        /// The last pictures that could not be read, the newest first.
        let unreadable: [Unreadable]
        let unreadableToday: Int
        let passages: Int
        let passagesToday: Int
        let violationsToday: Int
        let lastPassageAt: String?
        let waitingForReview: Int
        let openOverstayAlerts: Int
        let queue: [String: Int]
        let oldestWaiting: String?
        let photos: Int
        let photoBytes: Int
        let databaseBytes: Int

        /// When the last good backup was made; nil when there is none.
        let lastBackupAt: String?

        /// What was removed in the last 30 days, by kind.
        let removed: [String: Removed]

        struct Removed: Encodable {
            let count: Int
            let bytes: Int
        }

        enum CodingKeys: String, CodingKey {
            case unreadable
            case unreadableToday = "unreadable_today"
            case passages
            case passagesToday = "passages_today"
            case violationsToday = "violations_today"
            case lastPassageAt = "last_passage_at"
            case waitingForReview = "waiting_for_review"
            case openOverstayAlerts = "open_overstay_alerts"
            case queue
            case oldestWaiting = "oldest_waiting"
            case photos
            case photoBytes = "photo_bytes"
            case databaseBytes = "database_bytes"
            case lastBackupAt = "last_backup_at"
            case removed
        }
    }

    package var version = Version.text
    package var post: String?
    package var isRunning = false
    package var running: StatusBoard.Report?
    package var figures: Figures?

    /// Nil where the configuration can't be read.
    package var road: RoadFigures?

    /// Nil without a server.
    package var sync: SyncFigures?
    package var sms: SMSFigures?

    /// Nil without a trigger.
    package var trigger: TriggerFigures?

    /// Nil without a direct link to the other post.
    package var peer: PeerFigures?
    package var freeBytes: Int?
    package var problems: [Problem] = []

    /// Nil when the configuration can't be read, and nothing runs that knows.
    private(set) var hasServer: Bool?
    private(set) var makesBackups = false

    enum CodingKeys: String, CodingKey {
        case version, post
        case isRunning = "is_running"
        case running, figures, road, sync, sms, trigger, peer
        case freeBytes = "free_bytes"
        case problems
    }

    /// - Parameter open: opens the database at a path.
    package static func gather(_ place: BoxPlace, open: (String) throws -> Store) -> StatusReport {
        var report = StatusReport()
        var configuration: Configuration?
        do {
            configuration = try place.configuration()
        } catch  where place.database != nil && !place.hasConfiguration {
            // A database alone, on somebody's desk: it has no server to speak of.
            report.hasServer = false
        } catch {
            report.problems.append(
                .init(
                    name: "configuration", severity: "critical", message: "\(error)",
                    hint: "A box that runs goes on with the last good one. Mend the file: `checkpost config check`."))
        }
        guard let folder = place.folder(configuration) else { return report }
        // What runs goes on with the configuration of its start, whatever the file says now.
        if configuration == nil, report.hasServer == nil { configuration = place.runningConfiguration(folder) }
        if let configuration {
            report.post = configuration.post.code
            report.hasServer = configuration.server != nil
            report.makesBackups = configuration.backup != nil
        }
        report.look(into: folder, configuration) { try open(place.database ?? folder + "/checkpost.sqlite") }
        return report
    }

    /// The state of the appliance that this process is a part of.
    static func gather(_ configuration: Configuration, _ store: Store) -> StatusReport {
        var report = StatusReport()
        report.post = configuration.post.code
        report.hasServer = configuration.server != nil
        report.makesBackups = configuration.backup != nil
        report.look(into: configuration.dataFolder, configuration) { store }
        return report
    }

    private mutating func look(into folder: String, _ configuration: Configuration?, open: () throws -> Store) {
        isRunning = RunLock.isHeld(folder: folder)
        running = isRunning ? StatusBoard.read(folder: folder) : nil
        freeBytes = DiskSpace.freeBytes(at: folder)
        if let reason = RunLock.hidden(folder: folder) {
            problems.append(
                .init(
                    name: "folder", severity: "critical",
                    message: "Nobody can say how the appliance is: \(folder) can't be looked into: \(reason).",
                    hint: "Put sudo before the command, or sign in as a member of the group checkpost."))
            return
        }
        if !isRunning {
            problems.append(
                .init(
                    name: "appliance", severity: "critical", message: "The appliance is not running.",
                    hint: "Start it: systemctl start checkpost, or checkpost run."))
        }
        problems += running?.problems ?? []
        problems += Self.diskProblems(folder, free: freeBytes)
        if let update = UpdateWork.underWay { problems.append(update) }
        readStore(configuration, open: open)
    }

    private static func diskProblems(_ folder: String, free: Int?) -> [Problem] {
        if DiskSpace.isReadOnly(at: folder) {
            let message = "Recording stands still: \(folder) is on a disk that can only be read."
            return [
                .init(
                    name: "disk", severity: "critical", message: message,
                    hint: "Look at the disk: dmesg, then mount -o remount,rw.")
            ]
        }
        if let free, free < DiskSpace.fullBytes {
            let message =
                "Recording stands still: the disk is full. Pictures in folders wait; those of live cameras are lost."
            return [
                .init(
                    name: "disk", severity: "critical", message: message,
                    hint: "Free space now; a running box goes on by itself.")
            ]
        }
        if DiskSpace.isOutOfFiles(at: folder) {
            return [
                .init(
                    name: "disk", severity: "critical", message: DiskSpace.outOfFiles, hint: DiskSpace.outOfFilesHint)
            ]
        }
        return []
    }

    private mutating func readStore(_ configuration: Configuration?, open: () throws -> Store) {
        do {
            let store = try open()
            road = try configuration.map { RoadFigures(try MatchingService(store: store, configuration: $0).segment()) }
            sms = try configuration.map { try SMSFigures($0, running: running, store: store) }
            trigger = try configuration?.trigger.map { try TriggerFigures($0, running: running, store: store) }
            if let configuration, configuration.peer != nil {
                peer = try PeerFigures(running, store: store, configuration: configuration)
            }
            if post == nil { post = try store.passages.list(limit: 1).first?.passage.checkpostCode }
            let figures = try store.figures.now()
            let midnight = CivilTime(BoxClock.now, offset: CivilTime.nepalOffset).dateText
            let today =
                CivilTime(day: midnight)?.instant(offset: CivilTime.nepalOffset) ?? Instant(milliseconds: 0)
            let counts = try store.figures.counts(from: today, until: today + .hours(24))
            self.figures = Figures(
                unreadable: try store.frames.unreadable(limit: 5).map {
                    Unreadable(camera: $0.camera, file: $0.file, reason: $0.reason, at: $0.at.iso8601)
                },
                unreadableToday: counts.unreadableFrames,
                passages: figures.passages, passagesToday: counts.passages,
                violationsToday: counts.speeding + counts.overstay,
                lastPassageAt: figures.lastPassageAt?.iso8601, waitingForReview: figures.waitingForReview,
                openOverstayAlerts: figures.openOverstayAlerts,
                queue: Dictionary(uniqueKeysWithValues: figures.queue.map { ($0.key.rawValue, $0.value) }),
                oldestWaiting: figures.oldestWaiting?.iso8601, photos: figures.photos, photoBytes: figures.photoBytes,
                databaseBytes: figures.databaseBytes,
                lastBackupAt: try store.backups.last(onlyGood: true)?.at.iso8601,
                removed: Dictionary(
                    uniqueKeysWithValues: try store.retention.removed(since: BoxClock.now - .days(30)).map {
                        ($0.kind.rawValue, Figures.Removed(count: $0.count, bytes: $0.bytes))
                    }))
            if hasServer != false {
                sync = try SyncFigures(store, at: BoxClock.now)
                let offer = try configuration?.updateKey.flatMap { try UpdateDownload.waiting(store, signedBy: $0) }
                if let offer { problems.append(offer) }
            }
            // An alarm of a run that is over says how it was then; it is worth telling all the same.
            // A disk that takes nothing more is told above: its alarm could not be written.
            let isFull = problems.contains { $0.name == "disk" }
            // What the supervisor says now is truer than what was written down of it.
            let isTold = running != nil
            let isMistaken = problems.contains { $0.name == "configuration" }
            let scope = configuration?.alarmScope
            problems += figures.alarms.filter {
                scope?.isOver($0.key, raisedAt: $0.raisedAt, at: BoxClock.now) != true && !($0.key == "disk" && isFull)
                    && !($0.key == "configuration" && isMistaken)
                    && !(isTold && $0.key.hasPrefix(SupervisorNews.Alarm.prefix))
            }.map {
                // A clock that was wrong then, or is now, says nothing of the time between.
                let isPast = $0.raisedAt >= ClockState.earliest && $0.raisedAt <= BoxClock.now
                return Problem(
                    name: $0.key, severity: $0.severity.rawValue, since: isPast ? $0.raisedAt : nil,
                    message: $0.message, hint: $0.hint
                )
            }
        } catch {
            problems.append(.init(name: "database", severity: "critical", message: "\(error)", hint: nil))
        }
    }
}
