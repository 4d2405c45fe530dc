import Enforcement
import Storage
import Synchronizer

/// How synchronization stands, as the database has it: known also when nothing runs.
package struct SyncFigures: Encodable {
    package struct Run: Encodable {
        package let startedAt: Instant
        package let finishedAt: Instant
        package let pushed: Int
        package let pulled: Int
        package let photos: Int
        package let failure: String?

        enum CodingKeys: String, CodingKey {
            case startedAt = "started_at"
            case finishedAt = "finished_at"
            case pushed, pulled, photos, failure
        }

        package init(_ run: SyncRun) {
            (startedAt, finishedAt) = (run.startedAt, run.finishedAt)
            (pushed, pulled, photos) = (run.pushed, run.pulled, run.photos)
            failure = run.failure
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(startedAt.iso8601, forKey: .startedAt)
            try container.encode(finishedAt.iso8601, forKey: .finishedAt)
            try container.encode(pushed, forKey: .pushed)
            try container.encode(pulled, forKey: .pulled)
            try container.encode(photos, forKey: .photos)
            try container.encodeIfPresent(failure, forKey: .failure)
        }

        /// `3 sent, 12 fetched, 1 photo`.
        package var text: String {
            "\(pushed) sent, \(pulled) fetched, \(Wording.count(photos, "photo"))"
                + (failure.map { "; it ended early: \($0)" } ?? "")
        }
    }

    /// Entries that wait: `pending`, `in_flight` and `failed` ones that aren't refused.
    package let waiting: Int
    package let refused: Int
    let oldestWaitingSeconds: Double?
    let photosWaiting: Int
    package let photosFailed: Int
    let photoFailure: String?
    let lastSuccessAt: Instant?
    let skewMs: Int64?

    /// What went over the link in this month.
    let data: DataUse
    let lastRun: Run?

    enum CodingKeys: String, CodingKey {
        case waiting, refused
        case oldestWaitingSeconds = "oldest_waiting_seconds"
        case photosWaiting = "photos_waiting"
        case photosFailed = "photos_failed"
        case photoFailure = "photo_failure"
        case lastSuccessAt = "last_success_at"
        case skewMs = "clock_skew_ms"
        case dataSent = "month_sent_bytes"
        case dataReceived = "month_received_bytes"
        case lastRun = "last_run"
    }

    package init(_ store: Store, at now: Instant) throws {
        let counts = try store.queue.counts()
        refused = try store.queue.refusedCount()
        waiting =
            [QueueStatus.pending, .inFlight, .failed].map { counts[$0] ?? 0 }.reduce(0, +) - refused
            - (try store.queue.setAsideCount())
        oldestWaitingSeconds = try store.queue.oldestWaiting().map { (now - $0).seconds }
        let photos = try store.photos.counts()
        photosWaiting = photos[.pending] ?? 0
        photosFailed = photos[.failed] ?? 0
        photoFailure = try store.photos.lastFailure()
        lastSuccessAt = try store.cursors.value(SyncCursor.linkLastSuccess).map(Instant.init(milliseconds:))
        skewMs = try store.cursors.value(SyncCursor.clockSkew)
        data = try store.dataUse.use(ofMonth: DataUse.month(of: now))
        lastRun = try store.runs.list(limit: 1).first.map(Run.init)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(refused, forKey: .refused)
        try container.encodeIfPresent(oldestWaitingSeconds, forKey: .oldestWaitingSeconds)
        try container.encode(photosWaiting, forKey: .photosWaiting)
        try container.encode(photosFailed, forKey: .photosFailed)
        try container.encodeIfPresent(photoFailure, forKey: .photoFailure)
        try container.encodeIfPresent(lastSuccessAt?.iso8601, forKey: .lastSuccessAt)
        try container.encodeIfPresent(skewMs, forKey: .skewMs)
        try container.encode(data.sent, forKey: .dataSent)
        try container.encode(data.received, forKey: .dataReceived)
        try container.encodeIfPresent(lastRun, forKey: .lastRun)
    }

    /// One line on the queue.
    package var queueText: String {
        var parts: [String] = []
        if waiting > 0 {
            let age = oldestWaitingSeconds.map { ", the oldest for \(Wording.span(.seconds(max(0, $0))))" } ?? ""
            parts.append("\(waiting) waiting\(age)")
        }
        if refused > 0 { parts.append("\(refused) refused by the server") }
        parts += photoParts
        return parts.isEmpty ? "empty" : parts.joined(separator: ", ")
    }

    /// `12.3 MB sent and 4.5 MB received this month`
    package var dataText: String {
        func megabytes(_ bytes: Int64) -> String { Wording.number((Double(bytes) / 100_000).rounded() / 10) + " MB" }
        return "\(megabytes(data.sent)) sent and \(megabytes(data.received)) received this month"
    }

    private var photoParts: [String] {
        var parts: [String] = []
        if photosWaiting > 0 { parts.append("\(Wording.count(photosWaiting, "photo")) waiting") }
        if photosFailed > 0 {
            parts.append("\(Wording.count(photosFailed, "photo")) failed")
            if let photoFailure {
                parts.append("the last: \(photoFailure); `checkpost queue retry --failed` sends them again")
            }
        }
        return parts
    }

    /// What `queue list` says when it has nothing to list.
    package var nothingListedText: String {
        photoParts.isEmpty ? "Nothing waits." : "No record waits; \(photoParts.joined(separator: ", "))."
    }
}
