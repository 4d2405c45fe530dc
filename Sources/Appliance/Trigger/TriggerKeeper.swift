import Enforcement
import Logging
import Storage

/// Looks, now and then, which vehicles the trigger's events were, and forgets what is too old.
struct TriggerKeeper {
    private static let interval = TimeSpan.seconds(10)
    private static let usualSpan = TimeSpan.minutes(10)

    /// Pictures of a folder may wait for hours, and their passages come late.
    private static let longInterval = TimeSpan.minutes(5)
    private static let longSpan = TimeSpan.hours(48)
    private static let cleaningInterval = TimeSpan.hours(1)

    private let search: TriggerSearch
    private let settleAfter: TimeSpan
    private let term: TimeSpan
    private let isClockSimulated: Bool
    private let store: Store
    private let log: Logger
    private var last: Instant?
    private var lastLong: Instant?
    private var lastCleaning: Instant?
    private var isBroken = false

    init(_ trigger: Configuration.Trigger, _ configuration: Configuration, store: Store, log: Logger) {
        search = TriggerSearch(camera: trigger.camera, window: trigger.window)
        settleAfter = Self.settleAfter(trigger, configuration)
        term = configuration.retention.passages
        isClockSimulated = configuration.isClockSimulated
        (self.store, self.log) = (store, log)
    }

    /// A vehicle that comes at the end of the window goes out of view, and is decided on, before its event counts as one without a plate.
    static func settleAfter(_ trigger: Configuration.Trigger, _ configuration: Configuration) -> TimeSpan {
        let tracking = configuration.reader.tracking
        return .milliseconds(
            trigger.window.milliseconds + tracking.absence.milliseconds + tracking.timeToReview.milliseconds)
    }

    mutating func look(at now: Instant) {
        guard HousekeepingService.isDue(last, every: Self.interval, at: now) else { return }
        last = now
        do {
            var span = Self.usualSpan
            if HousekeepingService.isDue(lastLong, every: Self.longInterval, at: now) {
                (lastLong, span) = (now, Self.longSpan)
            }
            try store.trigger.pair(search, from: now - span, until: now - settleAfter)
            try clean(now)
            isBroken = false
        } catch {
            if !isBroken {
                log.error("the vehicles of the trigger can't be looked up", metadata: ["error": "\(error)"])
            }
            isBroken = true
        }
    }

    /// A clock that is wrong would forget everything.
    private mutating func clean(_ now: Instant) throws {
        guard HousekeepingService.isDue(lastCleaning, every: Self.cleaningInterval, at: now) else { return }
        lastCleaning = now
        guard isClockSimulated || HostClockReader(store: store).read().clock.isBelieved else { return }
        try store.trigger.forget(before: now - term)
    }
}
