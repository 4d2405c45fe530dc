import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("A finder of plates by their colour", .timeLimit(.minutes(10)))
struct ColourPlateFinderTests {
    private static let samples = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("deploy/samples")

    private func places(_ name: String) throws -> [Box] {
        let picture = try Data(contentsOf: Self.samples.appendingPathComponent(name))
        let map = try #require(Grounds(try ImageDecoder.decode(picture)).map)
        var finder = ColourPlateFinder()
        return finder.find(in: map).map(\.box)
    }

    @Test(arguments: [
        ((200, 20, 30), ColourMap.Colour.red), ((205, 125, 130), .red), ((235, 200, 30), .yellow),
        ((20, 130, 50), .green),
        ((30, 60, 190), .blue), ((240, 238, 230), .white), ((25, 25, 30), .black),
    ])
    func `calls the grounds of plates by their names`(rgb: (Int, Int, Int), colour: ColourMap.Colour) {
        #expect(ColourMap.colour(red: rgb.0, green: rgb.1, blue: rgb.2) == colour)
    }

    @Test func `has no name for gray, for dust and for asphalt`() {
        for (red, green, blue) in [(128, 128, 128), (150, 130, 110), (90, 95, 100)] {
            #expect(ColourMap.colour(red: red, green: green, blue: blue) == nil)
        }
    }

    @Test func `finds a red plate whose upper row is too short for a row of glyphs`() throws {
        let plate = Box(x: 396, y: 283, width: 139, height: 71)
        let found = try places("drive/BNP-A/20261121T050730.250Z.jpg")
        #expect(found.contains { $0.overlap(plate) > 0.5 }, "\(found)")
    }

    @Test func `gives a bounded number of places, inside the picture`() throws {
        for name in ["drive/BNP-A/20261121T043631.043Z.jpg", "drive/BNP-B/20261121T050131.048Z.jpg"]
        where FileManager.default.fileExists(atPath: Self.samples.appendingPathComponent(name).path) {
            let found = try places(name)
            #expect(found.count <= ColourPlateFinder.maximumPlaces)
            #expect(found.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.right <= 960 && $0.bottom <= 540 })
        }
    }

    @Test func `has nothing to say of a picture without colours`() throws {
        let gray = try ImageDecoder.decode(Drawing(width: 400, height: 300, ground: 20).encoded(.jpeg))
        #expect(Grounds(gray).map == nil && Grounds(gray).picture == nil)
    }
}
