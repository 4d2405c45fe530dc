import Enforcement
import Logging
import Storage

/// An alarm for a camera that sees no vehicle for hours in which there always were some.
struct TrafficKeeper {
    private static let interval = TimeSpan.minutes(10)

    private let cameras: [String]
    private let store: Store
    private let alarms: AlarmBoard
    private let log: Logger
    private var last: Instant?

    init(_ configuration: Configuration, store: Store, alarms: AlarmBoard, log: Logger) {
        cameras = configuration.cameras.map(\.name)
        (self.store, self.alarms, self.log) = (store, alarms, log)
    }

    mutating func look(at now: Instant, isClockTrusted: Bool) {
        guard isClockTrusted, HousekeepingService.isDue(last, every: Self.interval, at: now) else { return }
        last = now
        do {
            let counts = try (0...TrafficWatch.days).map { day in
                let span = TrafficWatch.span(daysBefore: day, now)
                return try store.figures.seen(from: span.from, until: span.until)
            }
            for camera in cameras { tell(counts.map { $0[camera] ?? 0 }, of: camera) }
        } catch {
            log.warning("the cameras' traffic can't be looked at", metadata: ["error": "\(error)"])
        }
    }

    /// It stands until a vehicle is seen: the hours in which few pass would else end it over a broken camera.
    private func tell(_ counts: [Int], of camera: String) {
        let key = "traffic.\(camera)"
        if counts[0] > 0 { return alarms.clear(key) }
        guard TrafficWatch.isUnusual(counts[0], before: Array(counts.dropFirst())) else { return }
        alarms.raise(
            key, .warning,
            "The camera \(camera) has seen no vehicle for three hours; in each of the last seven days there were some in these hours.",
            hint:
                "Look at its picture on the page that sets it: it may be turned, covered, out of focus, or too dark. Where the road is "
                + "closed, all is well.")
    }
}
