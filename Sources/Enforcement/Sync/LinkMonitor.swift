/// Knows whether the server can be reached, and when to ask it next while it can't.
///
/// Online means a well-formed answer other than 5xx within the last 60 s. A cable that is plugged in, or a page of a captive
/// portal, is no link. `now` comes from a clock that only runs forward: a step of the wall clock is no outage.
package struct LinkMonitor: Sendable, Equatable {
    package enum Event: Sendable, Equatable {
        /// The server gave a well-formed answer other than 5xx.
        case wellAnswered
        /// Something answered, but not as a server that is well does.
        case badlyAnswered
        /// Nothing answered.
        case unanswered
        /// The kernel says that a route or an address changed: a hint, no proof.
        case networkChanged
        case tick
    }

    package enum Action: Sendable, Equatable {
        /// The link is back: a cycle begins at once.
        case cameBack(after: TimeSpan)
        case wentDown
        /// Ask the server for something small.
        case probe
    }

    /// What the console shows.
    package enum Level: Int, Sendable, Codable, CaseIterable {
        case online = 1
        case offline = 2
        case sms = 3
    }

    package struct Settings: Sendable, Equatable {
        package var onlineFor = TimeSpan.seconds(60)
        /// Offline for this long means level 3: SMS.
        package var smsAfter = TimeSpan.minutes(5)
        package var probe = Backoff(firstDelay: .seconds(4), longestDelay: .seconds(30))
        package init() {}
    }

    package var settings: Settings

    /// Whether sending is paused: nothing but probes until the server answers again.
    package private(set) var isDown: Bool

    /// The last success; nil while none is known, of this run or an earlier one.
    package private(set) var knownSuccess: Instant?

    private let startedAt: Instant

    /// From when an outage counts: the last success, or the start where none is known.
    package var lastSuccess: Instant { knownSuccess ?? startedAt }

    package private(set) var nextProbe: Instant
    private var probes = 0
    private var hasSucceeded = false

    /// - Parameter lastSuccess: what is known from before a restart, so that an outage doesn't begin anew with it.
    package init(settings: Settings = Settings(), lastSuccess: Instant? = nil, startedAt now: Instant) {
        self.settings = settings
        knownSuccess = lastSuccess.map { min($0, now) }
        startedAt = now
        isDown = true
        nextProbe = now
    }

    package func isOnline(at now: Instant) -> Bool {
        hasSucceeded && !isDown && now - lastSuccess <= settings.onlineFor
    }

    /// Since when the server is out of reach; nil while online.
    package func offlineSince(at now: Instant) -> Instant? {
        isOnline(at: now) ? nil : lastSuccess
    }

    package func level(at now: Instant) -> Level {
        if isOnline(at: now) { return .online }
        return now - lastSuccess >= settings.smsAfter ? .sms : .offline
    }

    /// - Parameter random: 0…1, drawn by the caller, for the jitter of the next probe.
    package mutating func handle(_ event: Event, at now: Instant, random: Double) -> [Action] {
        switch event {
        case .wellAnswered:
            let wasDown = isDown
            let outage = now - lastSuccess
            knownSuccess = max(lastSuccess, now)
            isDown = false
            hasSucceeded = true
            probes = 0
            return wasDown ? [.cameBack(after: outage)] : []
        case .badlyAnswered:
            // A server that is there and ill keeps its queue's own pace; only a long illness is an outage.
            return isDown ? scheduleProbe(at: now, random: random) : []
        case .unanswered:
            let wasDown = isDown
            isDown = true
            _ = scheduleProbe(at: now, random: random)
            return wasDown ? [] : [.wentDown]
        case .networkChanged:
            guard isDown else { return [] }
            probes = 0
            nextProbe = now
            return [.probe]
        case .tick:
            return isDown && now >= nextProbe ? [.probe] : []
        }
    }

    private mutating func scheduleProbe(at now: Instant, random: Double) -> [Action] {
        probes += 1
        nextProbe = now + settings.probe.delay(attempt: probes, random: random)
        return []
    }
}
