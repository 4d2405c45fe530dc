import Enforcement
import Storage

/// The trigger as `status` shows it: what its part says, and what is counted in the database.
package struct TriggerFigures: Encodable {
    package let report: TriggerReport
    package let camera: String?

    /// Since midnight in Nepal.
    package let today: TriggerSpan

    enum CodingKeys: String, CodingKey {
        case device, camera, state, trouble
        case lastFrameAt = "last_frame_at"
        case lastEventAt = "last_event_at"
        case events, duplicates, lost, overflow, damaged, flooded
        case vehiclesToday = "vehicles_today"
        case withoutPlateToday = "without_plate_today"
    }

    /// - Parameter running: what the appliance said last; nil when none runs.
    init(_ trigger: Configuration.Trigger, running: StatusBoard.Report?, store: Store) throws {
        report =
            running?.trigger
            ?? TriggerReport(device: trigger.device, state: .closed, trouble: "the appliance is not running")
        camera = trigger.camera
        let midnight = CivilTime.nepalMidnight(before: BoxClock.now)
        today = try store.trigger.counts(from: midnight, until: midnight + .hours(24))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.device, forKey: .device)
        try container.encodeIfPresent(camera, forKey: .camera)
        try container.encode(report.state, forKey: .state)
        try container.encodeIfPresent(report.trouble, forKey: .trouble)
        try container.encodeIfPresent(report.lastFrameAt?.iso8601, forKey: .lastFrameAt)
        try container.encodeIfPresent(report.lastEventAt?.iso8601, forKey: .lastEventAt)
        let counts = report.counts
        let numbers: [(CodingKeys, Int)] = [
            (.events, counts.events), (.duplicates, counts.duplicates), (.lost, counts.lost),
            (.overflow, counts.overflow), (.damaged, counts.damaged), (.flooded, counts.flooded),
            (.vehiclesToday, today.events), (.withoutPlateToday, today.withoutPlate),
        ]
        for (key, value) in numbers { try container.encode(value, forKey: key) }
    }

    /// One line.
    package var text: String {
        "loop or radar: \(report.text); today \(Wording.count(today.events, "vehicle")), \(today.withoutPlate) without a plate"
    }
}
