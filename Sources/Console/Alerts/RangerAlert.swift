import Enforcement
import Foundation
import Storage

/// Something that a ranger must be told at once: a vehicle that broke a limit, one that has not come out, one that is watched for, or one
/// that passed while the road was closed.
package struct RangerAlert: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case violation(Violation)
        case overstay(StoredOverstayAlert)
        case wanted(WantedSight)
        case closed(ClosedSight)
    }

    /// What a ranger has to do differs for each: each has its word, its colour and its sound.
    package enum Finding: String, Sendable, CaseIterable {
        /// It came out too fast.
        case speeding
        /// It came out too late.
        case late
        /// It has not come out.
        case inside
        /// Its plate is watched for.
        case wanted
        /// It passed while the road was closed.
        case closed
    }

    package var subject: Subject
    package var raisedAt: Instant

    /// Whether it is this post's to answer for: the vehicle came out here, or it went in here and has not come out. At the other post it
    /// stands in the list, and nothing sounds.
    package var isHere = true

    /// Who has seen it, or put it off; nil while nobody has.
    package var touch: AlertTouch?

    /// `violation/<id>`, `overstay/<id>`, `wanted/<passage>` or `closed/<passage>`.
    package var id: String {
        switch subject {
        case .violation(let violation): "violation/\(violation.id.uuidString.lowercased())"
        case .overstay(let alert): "overstay/\(alert.id)"
        case .wanted(let sight): "wanted/\(sight.passageClientID.uuidString.lowercased())"
        case .closed(let sight): "closed/\(sight.passageClientID.uuidString.lowercased())"
        }
    }

    /// `speeding`, `overstay`, `wanted` or `closed`.
    package var kind: String {
        switch subject {
        case .violation(let violation): violation.kind.rawValue
        case .overstay: Violation.Kind.overstay.rawValue
        case .wanted: Finding.wanted.rawValue
        case .closed: Finding.closed.rawValue
        }
    }

    package var finding: Finding {
        switch subject {
        case .violation(let violation): violation.kind == .speeding ? .speeding : .late
        case .overstay: .inside
        case .wanted: .wanted
        case .closed: .closed
        }
    }

    /// Whether it asks for somebody now. One that was put off asks again after a while; a clock that was set back doesn't keep it silent.
    package func sounds(at now: Instant) -> Bool {
        guard isHere else { return false }
        guard let touch else { return true }
        let ago = now - touch.at
        return !touch.isSeen && (ago >= AlertBoard.snooze || ago < .milliseconds(0))
    }
}
