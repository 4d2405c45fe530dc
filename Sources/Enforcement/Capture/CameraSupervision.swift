/// Decides when a camera counts as connected, silent, failed and recovered, and when it is tried again.
///
/// `now` comes from a clock that only runs forward: a step of the wall clock is no silence.
package struct CameraSupervision: Sendable {
    package enum Event: Equatable, Sendable {
        /// An attempt begins.
        case started
        /// The source is open, though it may not have a frame yet (a watched folder that is empty).
        case opened
        /// A frame, or a picture that can't be read, came.
        case delivered
        /// What came was looked at: it is a picture, or can't be read.
        case judged(isReadable: Bool)
        /// The attempt ended by an error.
        case failed(CameraFailure)
        /// The source has given all that it had.
        case finished
        /// Time passed.
        case tick
    }

    package enum Action: Equatable, Sendable {
        case report(CameraEvent)
        case restart(after: TimeSpan)
        case stop
    }

    /// What `status` shows.
    package enum Phase: String, Sendable, Codable {
        case connecting, connected, silent, failed, finished
        /// Pictures come, and none of them can be read.
        case unreadable

        /// Whether a vehicle that comes now would be seen.
        package var givesPictures: Bool { self == .connected || self == .finished }
    }

    package private(set) var phase: Phase = .connecting
    package private(set) var lastFailure: CameraFailure?
    package private(set) var attempts = 0

    private let backoff: Backoff
    private let silentAfter: TimeSpan?
    private var wasConnected = false
    private var quietSince: Instant?
    private var troubleSince: Instant?
    private var isSilent = false

    /// Pictures in a row that could not be read; nil until one of this attempt could.
    private var unreadableInARow: Int?
    private var isUnreadable = false

    /// After a good picture so many broken ones may be chance: a file that was cut off, a burst on the cable.
    private static let mostUnreadable = 10

    /// - Parameter silentAfter: the time without a frame that is an alarm; nil for never.
    package init(backoff: Backoff = Backoff(), silentAfter: TimeSpan?) {
        self.backoff = backoff
        self.silentAfter = silentAfter
    }

    /// - Parameter random: 0…1, drawn by the caller, for the jitter of the next attempt.
    package mutating func handle(_ event: Event, at now: Instant, random: Double) -> [Action] {
        switch event {
        case .started:
            if quietSince == nil { quietSince = now }
            (unreadableInARow, isUnreadable) = (nil, false)
            return []
        case .opened:
            return isSilent ? [] : connected(at: now)
        case .delivered:
            let since = isSilent ? troubleSince ?? quietSince : troubleSince
            quietSince = now
            isSilent = false
            troubleSince = since
            return connected(at: now)
        case .judged(let isReadable):
            judge(isReadable)
            return []
        case .failed(let failure):
            return failed(failure, at: now, random: random)
        case .finished:
            phase = .finished
            return [.report(.finished), .stop]
        case .tick:
            return silence(at: now)
        }
    }

    private mutating func connected(at now: Instant) -> [Action] {
        attempts = 0
        lastFailure = nil
        phase = isUnreadable ? .unreadable : .connected
        defer {
            wasConnected = true
            troubleSince = nil
        }
        if let since = troubleSince { return [.report(.recovered(after: now - since))] }
        return wasConnected ? [] : [.report(.connected)]
    }

    /// A camera that has only sent broken pictures is not taken for one that works.
    private mutating func judge(_ isReadable: Bool) {
        if isReadable {
            (unreadableInARow, isUnreadable) = (0, false)
        } else if let count = unreadableInARow {
            unreadableInARow = count + 1
            isUnreadable = count + 1 >= Self.mostUnreadable
        } else {
            isUnreadable = true
        }
        if phase == .connected || phase == .unreadable { phase = isUnreadable ? .unreadable : .connected }
    }

    private mutating func failed(_ failure: CameraFailure, at now: Instant, random: Double) -> [Action] {
        attempts += 1
        let isNew = lastFailure != failure
        lastFailure = failure
        if !isSilent { phase = .failed }
        if troubleSince == nil { troubleSince = isSilent ? quietSince : now }
        let attempt = failure.retriesLate ? Int.max : attempts
        let delay = backoff.delay(attempt: attempt, random: random)
        return (isNew ? [.report(.failed(failure, retryIn: delay))] : []) + [.restart(after: delay)]
    }

    private mutating func silence(at now: Instant) -> [Action] {
        guard let silentAfter, let quietSince, !isSilent, phase != .finished, now - quietSince >= silentAfter else {
            return []
        }
        isSilent = true
        phase = .silent
        return [.report(.silent(for: now - quietSince))]
    }
}
