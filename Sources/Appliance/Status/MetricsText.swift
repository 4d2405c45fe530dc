import Enforcement
import Storage

/// What `status` knows, in the text format that Prometheus reads (version 0.0.4).
///
/// Only what somebody can act on, or plot: no plate, no name of a person.
package struct MetricsText {
    private var text = PrometheusText()

    package init(_ report: StatusReport, clock: ClockState?) {
        text.gauge(
            "checkpost_info", "The version that runs.", [(["version": report.version, "post": report.post ?? ""], 1)])
        text.gauge("checkpost_up", "1 while the appliance runs.", report.isRunning ? 1 : 0)
        if let clock {
            text.gauge(
                "checkpost_clock_trusted", "1 while the box's clock can be believed.", clock.isTrusted ? 1 : 0)
        }
        text.gauge(
            "checkpost_problems", "What is wrong now, by severity.",
            Alarm.Severity.allCases.map { severity in
                let count = report.problems.count { $0.severity == severity.rawValue }
                return (["severity": severity.rawValue], Double(count))
            })
        text.gauge(
            "checkpost_problem", "1 for each thing that is wrong, by its name.",
            Dictionary(grouping: report.problems, by: \.name).sorted { $0.key < $1.key }.map { (["name": $0.key], 1) })
        add(report.running)
        add(report.figures)
        add(report.sync)
        if let sms = report.sms {
            text.gauge("checkpost_sms_sent_last_day", "Messages in the last 24 hours.", Double(sms.lastDay))
            text.gauge("checkpost_sms_daily_limit", "Messages that a day may cost.", Double(sms.dailyLimit))
            text.gauge(
                "checkpost_sms_waiting", "Messages by what came of them.",
                sms.messages.sorted { $0.key < $1.key }.map {
                    (["state": $0.key], Double($0.value))
                })
        }
        if let trigger = report.trigger {
            text.counter(
                "checkpost_trigger_events_total", "Vehicles that the trigger told of since its part's start.",
                [([:], Double(trigger.report.counts.events))])
            text.counter(
                "checkpost_trigger_lost_total", "Events that never came, or that the trigger had no room for.",
                [([:], Double(trigger.report.counts.lost + trigger.report.counts.overflow))])
            text.gauge(
                "checkpost_vehicles_without_plate_today", "Vehicles of today that nobody has a plate of.",
                Double(trigger.today.withoutPlate))
        }
        if let free = report.freeBytes {
            text.gauge("checkpost_disk_free_bytes", "Free on the disk of the records.", Double(free))
        }
    }

    package var description: String { text.description }

    private mutating func add(_ running: StatusBoard.Report?) {
        guard let running else { return }
        let parts = Labelled("part", running.parts, name: \.name)
        text.gauge("checkpost_part_up", "1 for each part that is up.", parts.samples { $0.state == "up" ? 1 : 0 })
        text.counter(
            "checkpost_part_ends_total", "How often a part ended without being asked.",
            parts.samples { Double($0.ends) })
        text.gauge(
            "checkpost_part_resident_bytes", "Memory of a part.", parts.samples { $0.residentBytes.map(Double.init) })
        text.gauge(
            "checkpost_part_news_age_seconds", "How old what a part says of itself is.",
            parts.samples(\.newsAgeSeconds))
        let cameras = Labelled("camera", running.cameras, name: \.name)
        text.gauge(
            "checkpost_camera_up", "1 while a camera gives pictures.",
            cameras.samples { $0.phase == "connected" ? 1 : 0 })
        text.counter(
            "checkpost_camera_frames_total", "Pictures since the part's start.",
            cameras.samples { Double($0.frameCount) })
        text.counter(
            "checkpost_camera_dropped_total", "Pictures that came faster than they are read.",
            cameras.samples { Double($0.droppedCount) })
        text.counter(
            "checkpost_camera_unreadable_total", "Pictures that can't be decoded.",
            cameras.samples { Double($0.unreadableCount) })
        text.gauge(
            "checkpost_camera_last_frame_timestamp_seconds", "When the last picture was taken.",
            cameras.samples { $0.lastFrameAt.map { Double($0.milliseconds) / 1000 } })
        if let link = running.link {
            text.gauge("checkpost_link_up", "1 while the server answers.", link.state == "online" ? 1 : 0)
            text.gauge(
                "checkpost_link_last_success_timestamp_seconds", "When the server last answered well.",
                link.lastSuccessAt.map { Double($0.milliseconds) / 1000 })
        }
        if let signal = running.sms?.modem?.signalDBm {
            text.gauge("checkpost_modem_signal_dbm", "Strength of the mobile network.", Double(signal))
        }
    }

    private mutating func add(_ figures: StatusReport.Figures?) {
        guard let figures else { return }
        text.gauge("checkpost_passages", "Passages on record.", Double(figures.passages))
        text.gauge("checkpost_passages_today", "Passages since midnight in Nepal.", Double(figures.passagesToday))
        text.gauge("checkpost_violations_today", "Violations since midnight.", Double(figures.violationsToday))
        text.gauge(
            "checkpost_unreadable_today", "Pictures of today that can't be read.",
            Double(figures.unreadableToday))
        text.gauge(
            "checkpost_reviews_waiting", "Vehicles that wait for a ranger.", Double(figures.waitingForReview))
        text.gauge("checkpost_overstays_open", "Vehicles inside too long.", Double(figures.openOverstayAlerts))
        text.gauge("checkpost_photos", "Photos on the disk.", Double(figures.photos))
        text.gauge("checkpost_photo_bytes", "What they take.", Double(figures.photoBytes))
        text.gauge("checkpost_database_bytes", "What the records take.", Double(figures.databaseBytes))
    }

    private mutating func add(_ sync: SyncFigures?) {
        guard let sync else { return }
        text.gauge("checkpost_queue_waiting", "Records that wait for the server.", Double(sync.waiting))
        text.gauge("checkpost_queue_refused", "Records that the server refuses.", Double(sync.refused))
        text.gauge(
            "checkpost_queue_oldest_seconds", "How long the oldest has waited.", sync.oldestWaitingSeconds ?? 0
        )
        text.gauge("checkpost_photos_waiting", "Photos that wait for the server.", Double(sync.photosWaiting))
        text.gauge("checkpost_photos_failed", "Photos that the server didn't take.", Double(sync.photosFailed))
        if let skew = sync.skewMs {
            text.gauge("checkpost_clock_skew_seconds", "The box's clock less the server's.", Double(skew) / 1000)
        }
    }
}

/// Things that a metric has a sample of each.
private struct Labelled<Thing> {
    let label: String
    let things: [Thing]
    let name: (Thing) -> String

    init(_ label: String, _ things: [Thing], name: @escaping (Thing) -> String) {
        self.label = label
        self.things = things
        self.name = name
    }

    /// - Parameter value: nil for a thing that has none.
    func samples(_ value: (Thing) -> Double?) -> [([String: String], Double)] {
        things.compactMap { thing in value(thing).map { ([label: name(thing)], $0) } }
    }
}
