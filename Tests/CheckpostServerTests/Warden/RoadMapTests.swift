import Enforcement
import Testing

@testable import checkpost_server

@Suite("The map of the roads", .timeLimit(.minutes(1)))
struct RoadMapTests {
    private func road(_ name: String, _ posts: [(String, Double?, Double?)]) -> Road {
        let numbers = RoadNumbers(
            distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, toleranceKmh: 0, tolerancePercent: 0,
            typeSpeedsKmh: TypeSpeeds(), hourLimits: HourLimits(), speedingAbove: 40, overstayBelow: 10,
            shortestMinutes: 67.5, longestMinutes: 270)
        return Road(
            id: name, name: name, park: "Banke", numbers: numbers,
            posts: posts.map { Road.Post(code: $0.0, name: $0.0, latitude: $0.1, longitude: $0.2) }, plans: [])
    }

    @Test func `has north at the top and west at the left, and keeps what is around it free`() throws {
        let map = try #require(
            RoadMap([
                road("one", [("W", 28.0, 81.0), ("E", 28.2, 82.0)]),
                road("two", [("E", 28.2, 82.0), ("S", 27.9, 81.5)]),
            ]))
        let at = Dictionary(
            uniqueKeysWithValues: map.points.map { ($0.code, (x: Double($0.x) ?? 0, y: Double($0.y) ?? 0)) })
        #expect(map.points.map(\.code) == ["E", "S", "W"] && map.lines.map(\.name) == ["one", "two"])
        let (west, east, south) = (try #require(at["W"]), try #require(at["E"]), try #require(at["S"]))
        #expect(west.x < south.x && south.x < east.x && east.y < west.y && west.y < south.y)
        for place in at.values {
            #expect((50...RoadMap.width - 50).contains(place.x) && (50...RoadMap.height - 50).contains(place.y))
        }
        // 1 degree east is 98.3 km there, 0.3 degrees north 33.4 km.
        #expect(abs((east.x - west.x) / (south.y - east.y) - 0.8829 / 0.3) < 0.02)
    }

    @Test func `draws a post once where two roads meet`() throws {
        var second = road("two", [("E-2", nil, nil), ("S", 27.9, 81.5)])
        second.posts[0].standsAt = "E"
        let map = try #require(RoadMap([road("one", [("W", 28.0, 81.0), ("E", 28.2, 82.0)]), second]))
        #expect(map.points.map(\.code) == ["E", "S", "W"] && map.lines.map(\.name) == ["one", "two"])
        #expect(map.lines[0].x2 == map.lines[1].x1 && map.lines[0].y2 == map.lines[1].y1)
    }

    @Test func `leaves out what has no place, and is none where nothing has one`() throws {
        #expect(RoadMap([road("one", [("A", nil, nil), ("B", 28, nil)])]) == nil)
        #expect(RoadMap([]) == nil)
        let map = try #require(RoadMap([road("one", [("A", 28.0, 81.0), ("B", nil, nil)])]))
        #expect(map.points.map(\.code) == ["A"] && map.lines.isEmpty)
        #expect(map.points[0].x == "300.0" && map.points[0].y == "180.0")
    }
}
