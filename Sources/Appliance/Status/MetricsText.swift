import Enforcement
import Storage

/// What `status` knows, in the text format that Prometheus reads (version 0.0.4).
///
/// Only what somebody can act on, or plot: no plate, no name of a person.
package struct MetricsText {
    private var text = ""

    package init(_ report: StatusReport, clock: ClockState?) {
        gauge(
            "checkpost_info", "The version that runs.", [(["version": report.version, "post": report.post ?? ""], 1)])
        gauge("checkpost_up", "1 while the appliance runs.", report.isRunning ? 1 : 0)
        if let clock {
            gauge(
                "checkpost_clock_trusted", "1 while the box's clock can be believed.", clock.isTrusted ? 1 : 0)
        }
        gauge(
            "checkpost_problems", "What is wrong now, by severity.",
            Alarm.Severity.allCases.map { severity in
                let count = report.problems.count { $0.severity == severity.rawValue }
                return (["severity": severity.rawValue], Double(count))
            })
        gauge(
            "checkpost_problem", "1 for each thing that is wrong, by its name.",
            Dictionary(grouping: report.problems, by: \.name).sorted { $0.key < $1.key }.map { (["name": $0.key], 1) })
        add(report.running)
        add(report.figures)
        add(report.sync)
        if let sms = report.sms {
            gauge("checkpost_sms_sent_last_day", "Messages in the last 24 hours.", Double(sms.lastDay))
            gauge("checkpost_sms_daily_limit", "Messages that a day may cost.", Double(sms.dailyLimit))
            gauge(
                "checkpost_sms_waiting", "Messages by what came of them.",
                sms.messages.sorted { $0.key < $1.key }.map {
                    (["state": $0.key], Double($0.value))
                })
        }
        if let free = report.freeBytes {
            gauge("checkpost_disk_free_bytes", "Free on the disk of the records.", Double(free))
        }
    }

    package var description: String { text }

    private mutating func add(_ running: StatusBoard.Report?) {
        guard let running else { return }
        let parts = Labelled("part", running.parts, name: \.name)
        gauge("checkpost_part_up", "1 for each part that is up.", parts.samples { $0.state == "up" ? 1 : 0 })
        counter(
            "checkpost_part_ends_total", "How often a part ended without being asked.",
            parts.samples { Double($0.ends) })
        gauge("checkpost_part_resident_bytes", "Memory of a part.", parts.samples { $0.residentBytes.map(Double.init) })
        gauge(
            "checkpost_part_news_age_seconds", "How old what a part says of itself is.",
            parts.samples(\.newsAgeSeconds))
        let cameras = Labelled("camera", running.cameras, name: \.name)
        gauge(
            "checkpost_camera_up", "1 while a camera gives pictures.",
            cameras.samples { $0.phase == "connected" ? 1 : 0 })
        counter(
            "checkpost_camera_frames_total", "Pictures since the part's start.",
            cameras.samples { Double($0.frameCount) })
        counter(
            "checkpost_camera_dropped_total", "Pictures that came faster than they are read.",
            cameras.samples { Double($0.droppedCount) })
        counter(
            "checkpost_camera_unreadable_total", "Pictures that can't be decoded.",
            cameras.samples { Double($0.unreadableCount) })
        gauge(
            "checkpost_camera_last_frame_timestamp_seconds", "When the last picture was taken.",
            cameras.samples { $0.lastFrameAt.map { Double($0.milliseconds) / 1000 } })
        if let link = running.link {
            gauge("checkpost_link_up", "1 while the server answers.", link.state == "online" ? 1 : 0)
            gauge(
                "checkpost_link_last_success_timestamp_seconds", "When the server last answered well.",
                link.lastSuccessAt.map { Double($0.milliseconds) / 1000 })
        }
        if let signal = running.sms?.modem?.signalDBm {
            gauge("checkpost_modem_signal_dbm", "Strength of the mobile network.", Double(signal))
        }
    }

    private mutating func add(_ figures: StatusReport.Figures?) {
        guard let figures else { return }
        gauge("checkpost_passages", "Passages on record.", Double(figures.passages))
        gauge("checkpost_passages_today", "Passages since midnight in Nepal.", Double(figures.passagesToday))
        gauge("checkpost_violations_today", "Violations since midnight.", Double(figures.violationsToday))
        gauge(
            "checkpost_unreadable_today", "Pictures of today that can't be read.",
            Double(figures.unreadableToday))
        gauge(
            "checkpost_reviews_waiting", "Vehicles that wait for a ranger.", Double(figures.waitingForReview))
        gauge("checkpost_overstays_open", "Vehicles inside too long.", Double(figures.openOverstayAlerts))
        gauge("checkpost_photos", "Photos on the disk.", Double(figures.photos))
        gauge("checkpost_photo_bytes", "What they take.", Double(figures.photoBytes))
        gauge("checkpost_database_bytes", "What the records take.", Double(figures.databaseBytes))
    }

    private mutating func add(_ sync: SyncFigures?) {
        guard let sync else { return }
        gauge("checkpost_queue_waiting", "Records that wait for the server.", Double(sync.waiting))
        gauge("checkpost_queue_refused", "Records that the server refuses.", Double(sync.refused))
        gauge(
            "checkpost_queue_oldest_seconds", "How long the oldest has waited.", sync.oldestWaitingSeconds ?? 0
        )
        gauge("checkpost_photos_waiting", "Photos that wait for the server.", Double(sync.photosWaiting))
        gauge("checkpost_photos_failed", "Photos that the server didn't take.", Double(sync.photosFailed))
        if let skew = sync.skewMs {
            gauge("checkpost_clock_skew_seconds", "The box's clock less the server's.", Double(skew) / 1000)
        }
    }

    private mutating func gauge(_ name: String, _ help: String, _ samples: [([String: String], Double)]) {
        write(name, help, "gauge", samples)
    }

    /// What there is one of.
    private mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
        write(name, help, "gauge", value.map { [([:], $0)] } ?? [])
    }

    private mutating func counter(_ name: String, _ help: String, _ samples: [([String: String], Double)]) {
        write(name, help, "counter", samples)
    }

    private mutating func write(
        _ name: String, _ help: String, _ kind: String, _ samples: [([String: String], Double)]
    ) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        for (labels, value) in samples {
            let said = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
            text += name + (said.isEmpty ? "" : "{\(said.joined(separator: ","))}") + " \(number)\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
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
