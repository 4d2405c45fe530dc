/// Which backups stay: the last of each of the last days, and the last of each of the weeks before.
package struct BackupRotation: Sendable, Equatable {
    package var days = 7
    package var weeks = 4

    package init(days: Int = 7, weeks: Int = 4) {
        self.days = days
        self.weeks = weeks
    }

    /// - Parameter times: of all backups that are there. The newest always stays.
    /// - Returns: those that go.
    package func outdated(_ times: [Instant]) -> [Instant] {
        let newestFirst = times.sorted(by: >)
        guard let newest = newestFirst.first else { return [] }
        var kept: Set<Instant> = [newest]
        var seen: Set<String> = []
        for time in newestFirst {
            let age = newest - time
            let slot: String
            if age < .days(Double(days)) {
                slot = "day \(Self.count(of: time, length: 1))"
            } else if age < .days(Double(days + 7 * weeks)) {
                slot = "week \(Self.count(of: time, length: 7))"
            } else {
                continue
            }
            if seen.insert(slot).inserted { kept.insert(time) }
        }
        return newestFirst.filter { !kept.contains($0) }
    }

    /// Days, or weeks, since 1970.
    private static func count(of time: Instant, length: Int64) -> Int64 {
        time.milliseconds / (86_400_000 * length)
    }
}

/// When a backup is due, and when it is worth an alarm that there is none.
package struct BackupClock: Sendable, Equatable {
    /// One a day; a little less, so that the hour doesn't creep forward.
    package static let interval = TimeSpan.hours(23.5)
    package static let alarmAge = TimeSpan.days(2)
    static let retryInterval = TimeSpan.hours(1)

    package var lastGood: Instant?
    package var lastTry: Instant?

    package init(lastGood: Instant?, lastTry: Instant?) {
        self.lastGood = lastGood
        self.lastTry = lastTry
    }

    package func isDue(at now: Instant) -> Bool {
        if let lastTry, now >= lastTry, now - lastTry < Self.retryInterval { return false }
        // A clock that was set back makes it due.
        return lastGood.map { now - $0 >= Self.interval || now < $0 } ?? true
    }

    /// - Returns: whether somebody should see to it. One that never succeeded is told at its first failure.
    package func isAlarming(at now: Instant) -> Bool {
        lastGood.map { now - $0 >= Self.alarmAge } ?? (lastTry != nil)
    }
}
