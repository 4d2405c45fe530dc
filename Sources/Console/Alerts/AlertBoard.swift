import Enforcement
import Foundation
import Storage

/// Which alerts are out. All of it is derived from what is stored, so a reload or a restart loses none.
package struct AlertBoard: Sendable {
    let store: Store
    let checkpostCode: String

    /// What the file says of the road's hours.
    let hourLimits: HourLimits

    /// Whether the box plays another day: then how long ago an exit was says nothing.
    let isSimulated: @Sendable () -> Bool

    /// One that nobody here has to answer for, or that was seen, is history after this.
    static let age = TimeSpan.hours(24)

    /// One that is this post's stays until somebody has seen it, for as long as anybody can still act on it.
    static let longestAge = TimeSpan.hours(31 * 24)

    /// LATER: so long an alert doesn't come again.
    package static let snooze = TimeSpan.minutes(5)

    static let most = 100

    package init(
        store: Store, checkpostCode: String, hourLimits: HourLimits = HourLimits(),
        isSimulated: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        self.checkpostCode = checkpostCode
        self.hourLimits = hourLimits
        self.isSimulated = isSimulated
    }

    /// Alerts without an outcome: those that sound first, then the newest first.
    package func open(at now: Instant) throws -> [RangerAlert] {
        let violations = try store.violations.list(
            ViolationFilter(from: isSimulated() ? nil : now - Self.longestAge, hasOutcome: false), limit: Self.most
        ).filter { $0.exemptReason == nil }
        let overstays = try store.alerts.list(limit: Self.most, now: now)
        let places = violations.map(\.violation.exitClientID) + overstays.map(\.alert.entryClientID)
        let elsewhere = try store.passages.unknown(among: places)
        var all =
            violations.map { stored in
                RangerAlert(
                    subject: .violation(stored.violation), raisedAt: stored.createdAt,
                    isHere: !elsewhere.contains(stored.violation.exitClientID))
            }
            + overstays.map { stored in
                RangerAlert(
                    subject: .overstay(stored), raisedAt: stored.raisedAt,
                    isHere: !elsewhere.contains(stored.alert.entryClientID))
            }
        // A passage of this post: it is here.
        all += try store.wantedPlates.sights(since: now - Self.longestAge, limit: Self.most).map { sight in
            RangerAlert(subject: .wanted(sight), raisedAt: sight.noticedAt)
        }
        all += try closed(at: now)
        let touches = try store.alerts.touches(among: all.map(\.id))
        for index in all.indices { all[index].touch = touches[all[index].id] }
        return all.filter { alert in
            let age = now - alert.raisedAt
            return age < (alert.isHere && alert.touch?.isSeen != true ? Self.longestAge : Self.age)
        }.sorted { left, right in
            let (isLeft, isRight) = (left.sounds(at: now), right.sounds(at: now))
            return isLeft != isRight ? isLeft : left.raisedAt > right.raisedAt
        }
    }

    /// Who passed while the road was closed, since this box knows that it was.
    private func closed(at now: Instant) throws -> [RangerAlert] {
        do {
            let told = try store.segments.hours(ofCheckpost: checkpostCode)
            let since =
                try told?.since ?? store.cursors.value(Self.knownSince(hourLimits)).map(Instant.init(milliseconds:))
            return try store.passages.whileClosed(
                told?.limits ?? hourLimits, since: isSimulated() ? Instant(milliseconds: 0) : now - Self.age,
                limit: Self.most
            ).filter { sight in
                // A clock that was ahead when the hours came hides nobody.
                since.map { $0 > now || sight.noticedAt >= $0 } ?? true
            }.map { RangerAlert(subject: .closed($0), raisedAt: $0.noticedAt) }
        } catch let error as StoreError where [.corrupt, .unreadable].contains(error.kind) {
            // Hours that can't be read are told where the road is read; the other alerts stay.
            return []
        }
    }

    private static func knownSince(_ limits: HourLimits) -> String {
        "hours_known " + limits.closed.map(\.text).joined(separator: ", ")
    }

    /// Keeps since when this box knows the hours of its file, so that those who passed before are none of them.
    func noteHours(at now: Instant) throws {
        let name = Self.knownSince(hourLimits)
        guard !hourLimits.closed.isEmpty, try store.cursors.value(name) == nil else { return }
        try store.cursors.set(SyncCursor(name: name, value: now.milliseconds), at: now)
    }

    /// Violations whose outcome is of the last day, the last one first: most can still be changed.
    package func done(at now: Instant) throws -> [StoredViolation] {
        try store.violations.list(
            ViolationFilter(from: isSimulated() ? nil : now - Self.longestAge, hasOutcome: true), limit: Self.most
        ).filter { $0.outcome.map { now - $0.recordedAt < Self.age } ?? false }
            .sorted { ($0.outcome?.recordedAt ?? now) > ($1.outcome?.recordedAt ?? now) }
    }

    /// Those that sound at this post now.
    package func sounding(at now: Instant) throws -> [RangerAlert] {
        try open(at: now).filter { $0.sounds(at: now) }
    }
}
