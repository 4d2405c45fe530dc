import Enforcement
import Foundation
import Storage

extension RetentionWorker {
    private static let countInterval = TimeSpan.hours(6)

    /// The alarm stays for so long after photos went before their time: it would come and go otherwise.
    private static let earlyAlarmAge = TimeSpan.hours(48)

    /// Raises or clears the alarm of the disk.
    func tellDisk(at now: Instant) {
        guard let free = disk.freeBytes(), let plan else { return }
        let folder = configuration.dataFolder
        if free >= DiskSpace.fullBytes, DiskSpace.isOutOfFiles(at: folder) {
            return alarms.raise("disk", .critical, DiskSpace.outOfFiles, hint: DiskSpace.outOfFilesHint)
        }
        let known = state.withLock { $0 }
        var stage = DiskStage(freeBytes: free, plan: plan, after: known.lastRound)
        if stage == .ample, let early = known.earlyAt, now - early < Self.earlyAlarmAge {
            stage = .removesCompliantPhotos
        }
        let forecast = forecast(freeBytes: free, stage: stage, at: now)
        let room = "\(Wording.bytes(free)) are free on the disk"
        let keeps = "A larger disk keeps them for their time; `checkpost status` counts what went."
        switch stage {
        case .ample: alarms.clear("disk")
        case .removesCompliantPhotos:
            alarms.raise(
                "disk", .warning,
                "\(room): photos of vehicles that nothing was found against go before their time, the oldest first.\(forecast)",
                hint: keeps)
        case .removesOtherPhotos:
            alarms.raise(
                "disk", .warning,
                "\(room): photos of settled violations that the server has go before their time, too, the oldest first.\(forecast)",
                hint: keeps)
        case .keepsSmallPhotos:
            alarms.raise(
                "disk", .warning, "\(room), and nothing more may be removed: new photos are made smaller.\(forecast)",
                hint:
                    "Bring the data link back, settle open violations, or free space: what is not at the server never goes."
            )
        case .keepsNoPhotos:
            alarms.raise(
                "disk", .critical,
                "\(room), and what is left is kept for records: passages are recorded without photos.\(forecast)",
                hint: "Free space now, or put a larger disk in. Photos are kept again by themselves then.")
        }
    }

    /// A sentence that says when the disk is full; empty while nobody can say.
    private func forecast(freeBytes: Int, stage: DiskStage, at now: Instant) -> String {
        guard let samples = try? store.retention.sample(freeBytes: freeBytes, at: now), stage != .ample,
            let forecast = DiskForecast(samples),
            let full = forecast.fullAt(roomBytes: freeBytes + removableBytes(at: now), now: now)
        else { return "" }
        let day = CivilTime(full, offset: CivilTime.nepalOffset).dateText
        return " At this rate (\(Wording.bytes(Int(forecast.bytesADay))) a day) it is full on \(day)."
    }

    /// Counted now and then only: it looks at every photo.
    private func removableBytes(at now: Instant) -> Int {
        if let known = state.withLock({ $0.removable }), now >= known.at, now - known.at < Self.countInterval {
            return known.bytes
        }
        guard let policy = try? policy(), let bytes = try? store.retention.removableBytes(policy, at: now) else {
            return 0
        }
        state.withLock { $0.removable = (bytes, now) }
        return bytes
    }
}
