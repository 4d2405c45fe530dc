import Foundation

/// Where the roads of a park lie, drawn from the coordinates of their posts: no map of anybody else is needed.
struct RoadMap: Sendable {
    static let width = 600.0
    static let height = 360.0
    private static let margin = 60.0

    struct Line: Sendable {
        let name: String
        let x1: String
        let y1: String
        let x2: String
        let y2: String
    }

    struct Point: Sendable {
        let code: String
        let x: String
        let y: String
        let labelY: String
        /// `start`, `middle` or `end`, so that the label stays within the picture.
        let anchor: String
    }

    let lines: [Line]
    let points: [Point]

    /// - Returns: nil where no post's place is known.
    init?(_ roads: [Road]) {
        var places: [String: (x: Double, y: Double)] = [:]
        for post in roads.flatMap(\.posts) {
            guard let latitude = post.latitude, let longitude = post.longitude else { continue }
            places[post.place] = (longitude, latitude)
        }
        guard !places.isEmpty else { return nil }
        let (west, east) = (places.values.map(\.x).min() ?? 0, places.values.map(\.x).max() ?? 0)
        let (south, north) = (places.values.map(\.y).min() ?? 0, places.values.map(\.y).max() ?? 0)
        // A degree of longitude is shorter than one of latitude, away from the equator.
        let shrink = max(0.05, cos((south + north) / 2 * .pi / 180))
        let (wide, high) = (Self.width - 2 * Self.margin, Self.height - 2 * Self.margin)
        let scale = min(wide / max((east - west) * shrink, 1e-6), high / max(north - south, 1e-6))
        let (left, top) = (
            (Self.width - (east - west) * shrink * scale) / 2, (Self.height - (north - south) * scale) / 2
        )
        func drawn(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
            (left + (place.x - west) * shrink * scale, top + (north - place.y) * scale)
        }
        lines = roads.compactMap { road in
            let ends = road.posts.compactMap { places[$0.place] }.map(drawn)
            guard ends.count == 2 else { return nil }
            return Line(
                name: road.name, x1: Self.text(ends[0].x), y1: Self.text(ends[0].y), x2: Self.text(ends[1].x),
                y2: Self.text(ends[1].y))
        }
        points = places.sorted { $0.key < $1.key }.map { code, place in
            let at = drawn(place)
            let anchor = at.x < Self.width / 3 ? "start" : at.x > Self.width * 2 / 3 ? "end" : "middle"
            return Point(
                code: code, x: Self.text(at.x), y: Self.text(at.y), labelY: Self.text(at.y - 14), anchor: anchor)
        }
    }

    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }
}
