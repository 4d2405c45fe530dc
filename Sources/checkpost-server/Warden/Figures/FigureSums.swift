import Enforcement
import Pages

/// The figures of a span of days, summed up in the ways that are drawn.
struct FigureSums: Sendable {
    struct Day: Sendable, Equatable {
        var day: String
        var passages = 0
        var alone = 0
        var speeding = 0
        var overstay = 0

        /// How many of a hundred passages needed no ranger.
        var share: Int? { passages == 0 ? nil : Int((Double(alone) * 100 / Double(passages)).rounded()) }
    }

    /// Every day of the span, the oldest first, also those on which nothing passed.
    private(set) var days: [Day]
    /// By hour of the day.
    private(set) var hours = [Int](repeating: 0, count: 24)
    /// By day of the week, Sunday first.
    private(set) var weekdays = [Int](repeating: 0, count: 7)
    /// How many were speeding, by the lower end of a span of 5 km/h.
    private(set) var speeds: [Int: Int] = [:]

    init(_ passages: [PassageHour], _ violations: [ViolationDay], days names: [String]) {
        var all = Dictionary(names.map { ($0, Day(day: $0)) }) { first, _ in first }
        for row in passages where (0..<24).contains(row.hour) && (0..<7).contains(row.weekday) {
            guard all[row.day] != nil else { continue }
            all[row.day]?.passages += row.passages
            all[row.day]?.alone += row.alone
            hours[row.hour] += row.passages
            weekdays[row.weekday] += row.passages
        }
        for row in violations where all[row.day] != nil {
            if row.kind == Violation.Kind.speeding.rawValue {
                all[row.day]?.speeding += row.count
                if let speed = row.speed { speeds[speed, default: 0] += row.count }
            } else {
                all[row.day]?.overstay += row.count
            }
        }
        days = names.compactMap { all[$0] }
    }

    var total: Day {
        days.reduce(into: Day(day: "")) { sum, day in
            sum.passages += day.passages
            sum.alone += day.alone
            sum.speeding += day.speeding
            sum.overstay += day.overstay
        }
    }

    /// The last days up to now, as a calendar in Nepal has them, the oldest first.
    static func names(_ count: Int, until now: Instant) -> [String] {
        (0..<count).reversed().map { NepalTime.day(now - .hours(24 * Double($0))) }
    }

    /// A file for spreadsheets.
    var csv: String {
        let lines = days.map { "\($0.day),\($0.passages),\($0.alone),\($0.speeding),\($0.overstay)" }
        return (["day,passages,recorded_by_camera_alone,speeding,overstay"] + lines).joined(separator: "\r\n") + "\r\n"
    }
}
