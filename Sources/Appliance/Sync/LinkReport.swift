import Enforcement
import Synchronizer

/// The link to the server, as a running appliance tells it.
package struct LinkReport: Codable {
    /// `online`, `offline` or `sms`: the levels 1, 2 and 3.
    package let state: String
    let level: Int
    package let offlineSince: Instant?
    let lastSuccessAt: Instant?
    let lastCycleAt: Instant?

    /// What came of the last exchange, when it was no good answer.
    package let failure: String?

    /// Why nothing is sent though the server answers.
    package let pauseReason: String?

    /// How far the box's clock is ahead of the server's.
    let skewMs: Int64?
    package let storeFailure: String?

    /// Whether the server tells when something changes.
    let isTold: Bool?

    /// Why photos wait, where it is for the link's sake.
    let photosWait: PhotoAllowance.Wait?

    /// Whether the server is reached by way of the other post.
    package let isThroughPeer: Bool?

    enum CodingKeys: String, CodingKey {
        case state, level, failure
        case offlineSince = "offline_since"
        case lastSuccessAt = "last_success_at"
        case lastCycleAt = "last_cycle_at"
        case pauseReason = "pause_reason"
        case skewMs = "clock_skew_ms"
        case storeFailure = "store_failure"
        case isTold = "told_of_changes"
        case photosWait = "photos_wait"
        case isThroughPeer = "through_other_post"
    }

    package init(_ sync: SyncState) {
        state =
            switch sync.level {
            case .online: "online"
            case .offline: "offline"
            case .sms: "sms"
            }
        level = sync.level.rawValue
        offlineSince = sync.offlineSince
        lastSuccessAt = sync.lastSuccessAt
        lastCycleAt = sync.lastCycleAt
        failure = sync.linkFailure
        pauseReason = sync.pauseReason
        skewMs = sync.skew?.milliseconds
        storeFailure = sync.storeFailure
        isTold = sync.isTold
        photosWait = sync.photosWait
        isThroughPeer = sync.isThroughPeer
    }

    package func text(at now: Instant) -> String {
        var parts: [String] = []
        if let offlineSince {
            parts.append(
                "out of reach since \(offlineSince.nepalText) (\(Wording.span(now - offlineSince)))"
                    + (failure.map { ": \($0)" } ?? "")
                    + (level == LinkMonitor.Level.sms.rawValue ? ", level 3: SMS" : ", level 2: offline"))
        } else {
            parts.append(
                isThroughPeer == true
                    ? "online through another box, since this box's own link is down"
                    : isTold == true ? "online, told of changes at once" : "online")
        }
        if let lastCycleAt { parts.append("last cycle \(Wording.span(now - lastCycleAt)) ago") }
        if let skewMs { parts.append("clock \(Self.skewText(skewMs))") }
        switch photosWait {
        case .hours: parts.append("photos wait for their hours (sync.photo_hours)")
        case .data: parts.append("photos wait: the data of the month is used up for today (sync.data_megabytes)")
        case .peer: parts.append("photos wait for this box's own link")
        case nil: break
        }
        if let pauseReason { parts.append("nothing is sent: \(pauseReason)") }
        if let storeFailure { parts.append("the database failed: \(storeFailure)") }
        return parts.joined(separator: ", ")
    }

    /// The server tells its time in whole seconds, and its answer takes a while: less than this is no difference.
    private static let leastSkewMs: Int64 = 2000

    static func skewText(_ milliseconds: Int64) -> String {
        guard abs(milliseconds) >= leastSkewMs else { return "agrees with the server's" }
        let span = Wording.span(.milliseconds(abs(milliseconds)))
        return "\(span) \(milliseconds > 0 ? "ahead of" : "behind") the server's"
    }
}
