import Enforcement
import Foundation
import Storage

/// Something that a ranger must be told at once: a vehicle that broke a limit, or one that has not come out.
package struct RangerAlert: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case violation(Violation)
        case overstay(StoredOverstayAlert)
    }

    package var subject: Subject

    /// Somebody has seen it and put it off. Others repeat.
    package var isTouched: Bool
    package var raisedAt: Instant

    /// `violation/<id>` or `overstay/<id>`.
    package var id: String {
        switch subject {
        case .violation(let violation): "violation/\(violation.id.uuidString.lowercased())"
        case .overstay(let alert): "overstay/\(alert.id)"
        }
    }

    package var kind: Violation.Kind {
        switch subject {
        case .violation(let violation): violation.kind
        case .overstay: .overstay
        }
    }
}

/// Which alerts are out. All of it is derived from what is stored, so a reload or a restart loses none.
package struct AlertBoard: Sendable {
    let store: Store

    /// What was found longer ago is history and not an alert: the first sign-in of a new console is not met by last year.
    static let age = TimeSpan.hours(24)
    static let most = 100

    package init(store: Store) {
        self.store = store
    }

    /// Alerts without an outcome, those that nobody has touched first, then the newest first.
    package func open(at now: Instant) throws -> [RangerAlert] {
        let violations = try store.violations(
            ViolationFilter(from: now - .hours(72), hasOutcome: false), limit: Self.most
        ).filter { $0.exemptReason == nil && now - $0.createdAt < Self.age }
        let overstays = try store.overstayAlerts(limit: Self.most, now: now).filter { now - $0.raisedAt < Self.age }
        let all =
            violations.map {
                RangerAlert(subject: .violation($0.violation), isTouched: false, raisedAt: $0.createdAt)
            } + overstays.map { RangerAlert(subject: .overstay($0), isTouched: false, raisedAt: $0.raisedAt) }
        let touched = try store.touched(among: all.map(\.id))
        return all.map { alert in
            var alert = alert
            alert.isTouched = touched.contains(alert.id)
            return alert
        }.sorted { left, right in
            left.isTouched != right.isTouched ? !left.isTouched : left.raisedAt > right.raisedAt
        }
    }

    /// Those that nobody has touched: they sound.
    package func sounding(at now: Instant) throws -> [RangerAlert] {
        try open(at: now).filter { !$0.isTouched }
    }
}
