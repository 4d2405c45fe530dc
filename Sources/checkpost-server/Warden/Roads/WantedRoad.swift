import Enforcement
import Foundation
import Pages

/// What the form of a road asks for.
struct WantedRoad: Sendable {
    var road: String
    /// As JSON for the functions of the database.
    var numbers: String
    var reason: String
    /// Nil for at once.
    var from: Instant?
    /// As it was typed.
    var form: [String: String]

    static func form(_ typed: (String) -> String?) -> [String: String] {
        var form: [String: String] = [:]
        for field in RoadNumbers.fields + RoadNumbers.typeFields + [
            "distance_certificate", "road", "reason", "from",
        ] {
            form[field] = typed(field)
        }
        for field in RoadHours.fields {
            if let value = typed(field), !value.isEmpty { form[field] = value }
        }
        return form
    }

    init(_ typed: [String: String]) throws(APIError) {
        form = typed
        guard let id = form["road"].flatMap(UUID.init(uuidString:)) else {
            throw APIError(.notFound, "error_not_found", "There is no such road")
        }
        road = id.uuidString.lowercased()
        form["road"] = road
        var values: [String] = []
        for field in RoadNumbers.fields {
            guard let number = TypedNumber.plain(form[field] ?? "") else {
                throw APIError(.unprocessableContent, "error_road_number", "\(field) is no number")
            }
            values.append("\"\(field)\":\(number)")
        }
        var speeds: [String] = []
        for (type, field) in zip(VehicleType.allCases, RoadNumbers.typeFields) {
            guard let typed = form[field]?.trimmingCharacters(in: .whitespaces), !typed.isEmpty else { continue }
            guard let number = TypedNumber.plain(typed) else {
                throw APIError(.unprocessableContent, "error_road_number", "\(field) is no number")
            }
            speeds.append("\"\(type.rawValue)\":\(number)")
        }
        values.append("\"type_speeds_kmh\":{\(speeds.joined(separator: ","))}")
        if form[RoadHours.mark] != nil {
            guard let hours = try? RoadHours.limits(form).json else {
                throw APIError(.unprocessableContent, "error_road_hours", "These are no hours of a day")
            }
            values.append("\"hour_limits\":\(hours)")
        }
        if let certificate = form["distance_certificate"] {
            values.append("\"distance_certificate\":\(try Self.json(certificate))")
        }
        numbers = "{\(values.joined(separator: ","))}"
        reason = form["reason"]?.trimmingCharacters(in: .whitespaces) ?? ""
        guard (1...200).contains(reason.count) else {
            throw APIError(.unprocessableContent, "error_road_reason", "A reason has 1 to 200 characters")
        }
        guard let moment = form["from"], !moment.isEmpty else { return }
        guard let time = Self.time(moment) else {
            throw APIError(.unprocessableContent, "error_road_time", "That is no time: \(moment)")
        }
        from = time
    }

    private static func json(_ text: String) throws(APIError) -> String {
        guard let data = try? JSONEncoder().encode(text) else {
            throw APIError(.unprocessableContent, "error_road_certificate", "That is no text")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// `2026-12-01T06:00`, as a clock in Nepal shows it.
    private static func time(_ text: String) -> Instant? {
        guard let parts = text.wholeMatch(of: /(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(:\d{2})?/),
            let day = NepalTime.start(ofDay: String(parts.1)), let hour = Int(parts.2), let minute = Int(parts.3),
            hour < 24, minute < 60
        else { return nil }
        return day + .minutes(Double(hour * 60 + minute))
    }
}
