import Enforcement
import Pages

/// The rows of the form that say what holds at some hours of the day alone.
enum RoadHours {
    private static func name(_ part: String, _ row: Int) -> String { "hours_\(part)_\(row)" }

    /// Says that the form has rows of hours: one without takes none off.
    static let mark = "hours"

    static let fields =
        [mark]
        + (1...HourLimits.most).flatMap { row in
            ["from", "until", "type", "kmh", "closed"].map { name($0, row) }
        }

    /// - Throws: `error_road_hours` for a row that is not whole, has no hours, or says a speed and closed, too.
    static func limits(_ form: [String: String]) throws(APIError) -> HourLimits {
        var limits = HourLimits()
        for row in 1...HourLimits.most {
            func typed(_ part: String) -> String {
                form[name(part, row)]?.trimmingCharacters(in: .whitespaces) ?? ""
            }
            let isClosed = !typed("closed").isEmpty
            if typed("from").isEmpty, typed("until").isEmpty, typed("kmh").isEmpty, !isClosed { continue }
            let type = VehicleType(rawValue: typed("type"))
            let kmh = TypedNumber.plain(typed("kmh")).flatMap(Double.init)
            guard let hours = HoursOfDay(from: typed("from"), until: typed("until")),
                type != nil || typed("type").isEmpty, isClosed ? typed("kmh").isEmpty : kmh != nil
            else {
                throw APIError(.unprocessableContent, "error_road_hours", "Row \(row) of the hours is not whole")
            }
            limits.all.append(HourLimit(hours, type: type, kmh: kmh))
        }
        return limits
    }

    /// Rows that are filled in, and some that are not.
    static func inputs(_ form: [String: String], _ texts: Texts) -> [[String: Any]] {
        let filled = (1...HourLimits.most).last { row in
            ["from", "until", "kmh", "closed"].contains { form[name($0, row)]?.isEmpty == false }
        }
        return (1...min((filled ?? 0) + 3, HourLimits.most)).map { row in
            func typed(_ part: String) -> String { form[name(part, row)] ?? "" }
            return [
                "row": row, "label": texts("hours_row", ["count": "\(row)"]), "from": typed("from"),
                "until": typed("until"), "kmh": typed("kmh"), "isClosed": !typed("closed").isEmpty,
                "types": [Choice(value: "", text: texts["hours_all"], isChosen: typed("type").isEmpty)]
                    + Choice.types(VehicleType(rawValue: typed("type")), texts),
            ]
        }
    }

    fileprivate static func typed(_ limits: HourLimits) -> [String: String] {
        var form: [String: String] = [:]
        for (index, limit) in limits.all.enumerated() {
            func put(_ part: String, _ value: String?) { form[name(part, index + 1)] = value }
            put("from", HoursOfDay.text(limit.hours.from))
            put("until", HoursOfDay.text(limit.hours.until))
            put("type", limit.type?.rawValue)
            put("kmh", limit.kmh.map(RoadNumbers.text))
            put("closed", limit.kmh == nil ? "1" : nil)
        }
        return form
    }
}

extension HourLimits {
    /// As the form has them.
    var typed: [String: String] { RoadHours.typed(self) }
}
