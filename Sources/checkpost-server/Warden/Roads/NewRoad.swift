import Enforcement
import Foundation
import Pages

/// What the form for a road that is not there yet asks for. An end is a post that is there, by its code, or a new one.
struct NewRoad: Encodable, Sendable {
    struct End: Encodable, Sendable {
        var code: String?
        var name: String?
        /// The code of a post: the road begins or ends there.
        var stands_at: String?
    }

    var id: String
    var name: String
    var distance_km: Double
    var max_speed_kmh: Double
    var min_speed_kmh: Double
    var reason: String
    var ends: [End]

    /// With the mark that this form was typed, and not the one of a road that is there.
    private static let mark = "new_road"
    private static let numbers = ["distance_km", "max_speed_kmh", "min_speed_kmh"]
    private static let places = ["first", "second"]
    private static let fields =
        [mark, "road_name", "reason"] + numbers + places.flatMap { ["\($0)_post", "\($0)_code", "\($0)_name"] }

    static func form(_ typed: (String) -> String?) -> [String: String] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0, typed($0) ?? "") })
    }

    init(_ form: [String: String]) throws(APIError) {
        guard let id = form[Self.mark].flatMap(UUID.init(uuidString:)) else {
            throw APIError(.badRequest, "error_input", "The form has no road")
        }
        self.id = id.uuidString.lowercased()
        func number(_ field: String) throws(APIError) -> Double {
            guard let number = TypedNumber.plain(form[field] ?? "").flatMap({ Double("\($0)") }) else {
                throw APIError(.unprocessableContent, "error_road_number", "\(field) is no number")
            }
            return number
        }
        func text(_ field: String) -> String { (form[field] ?? "").trimmingCharacters(in: .whitespaces) }
        name = text("road_name")
        distance_km = try number("distance_km")
        max_speed_kmh = try number("max_speed_kmh")
        min_speed_kmh = try number("min_speed_kmh")
        reason = text("reason")
        ends = Self.places.map { place in
            let post = text(place + "_post")
            return post.isEmpty ? End(code: text(place + "_code"), name: text(place + "_name")) : End(stands_at: post)
        }
    }

    var json: String {
        get throws { String(decoding: try JSONEncoder.sorted.encode(self), as: UTF8.self) }
    }

    /// Fills the form as it was typed, with the posts that are there.
    static func fill(_ model: inout [String: Any], _ form: [String: String], _ roads: [Road], _ texts: Texts) {
        let isTyped = !(form[mark] ?? "").isEmpty
        let posts = roads.flatMap(\.posts).filter { $0.standsAt == nil }.sorted { $0.code < $1.code }
        var new: [String: Any] = [
            // One road, however often its button is pressed.
            "id": isTyped ? form[mark] ?? "" : UUID().uuidString.lowercased(),
            "name": isTyped ? form["road_name"] ?? "" : "", "reason": isTyped ? form["reason"] ?? "" : "",
            "isTyped": isTyped,
        ]
        new["problem"] = isTyped ? form["problem"] : nil
        new["inputs"] = numbers.map { field in
            [
                "field": field, "label": texts["field_" + field], "value": isTyped ? form[field] ?? "" : "",
                "unit": texts[RoadNumbers.units[field] ?? ""],
            ]
        }
        new["ends"] = places.map { place -> [String: Any] in
            let chosen = isTyped ? form[place + "_post"] ?? "" : ""
            return [
                "place": place, "label": texts["road_end_" + place], "code": form[place + "_code"] ?? "",
                "name": form[place + "_name"] ?? "",
                "posts": posts.map {
                    Choice(value: $0.code, text: "\($0.code) \($0.name)", isChosen: $0.code == chosen)
                },
            ]
        }
        model["newRoad"] = new
    }
}
