import Enforcement
import Logging
import Storage

/// The rounds of matching and of overstay, and an alarm where they fail again and again: nobody would be told of a vehicle too fast.
struct MatchingRounds {
    static let alarm = "matching"

    /// A disk that is busy for a moment is no news.
    static let toldAfter = 3

    private let matching: MatchingService
    private let alarms: AlarmBoard
    private let log: Logger
    /// In a row; nil before the first round, when an alarm of an earlier run may stand.
    private var failures: Int?
    /// As it was last written to the log.
    private var road: Segment?
    private let takenBack = TakenBackAlarm()

    init(_ matching: MatchingService, alarms: AlarmBoard, log: Logger) {
        self.matching = matching
        self.alarms = alarms
        self.log = log
    }

    /// - Returns: whether there is more to match.
    mutating func next(at now: Instant) -> Bool {
        do {
            let segment = try matching.segment()
            if segment != road {
                let origin = segment.id == nil ? "file" : "server"
                log.notice("what vehicles are judged by", metadata: ["from": "\(origin)", "road": "\(segment.text)"])
            }
            road = segment
            let findings = try matching.round(at: now)
            if failures != 0 { alarms.clear(Self.alarm) }
            failures = 0
            for violation in findings.violations {
                log.notice(
                    "violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
            }
            for alert in findings.alerts {
                log.notice("overstay", metadata: ["plate": "\(alert.plate)", "since": "\(alert.entryTime.iso8601)"])
            }
            tellTakenBack(at: now)
            return findings.hasMore
        } catch {
            failures = (failures ?? 0) + 1
            log.error("the round failed; it is tried again", metadata: ["error": "\(error)"])
            if failures == Self.toldAfter {
                alarms.raise(
                    Self.alarm, .critical, "Passages are recorded, but not matched: \(error)",
                    hint: "It is tried every minute. Where it stays, make a report with checkpost doctor.")
            }
            return false
        }
    }

    /// It never holds up matching.
    private func tellTakenBack(at now: Instant) {
        do {
            try takenBack.look(in: matching.store, alarms, at: now)
        } catch {
            log.error("violations that were taken back can't be read", metadata: ["error": "\(error)"])
        }
    }
}
