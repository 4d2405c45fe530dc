import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("The measures of a plate in a picture", .timeLimit(.minutes(10)))
struct PlateSightMeasureTests {
    private func reading(_ box: Box) -> PlateReading { .unread(at: box, look: .init(score: 1, isPlate: true)) }

    /// A bright plate with dark strokes, whose edges go over `ramp` pixels.
    private func plate(ramp: Int, dark: Double = 40, bright: Double = 200) -> GrayImage {
        var image = GrayImage(width: 240, height: 120, filledWith: UInt8(bright))
        for y in 30..<90 {
            for x in 0..<240 {
                let place = Double(x % 40)
                let inked = min(1, max(0, min(place - 10, 30 - place) / Double(ramp) + 0.5))
                image.pixels[y * 240 + x] = UInt8(bright - (bright - dark) * inked)
            }
        }
        return image
    }

    private func measure(
        _ image: GrayImage, _ box: Box = Box(x: 20, y: 20, width: 200, height: 70), by reduction: Int = 1
    )
        throws -> PlateSight
    {
        try #require(PlateSight(reading(box), in: image, reduction: reduction, glyphHeight: nil))
    }

    @Test(arguments: [4, 6, 8]) func `tell over how many pixels an edge is spread`(ramp: Int) throws {
        let sight = try measure(plate(ramp: ramp))
        #expect(abs(sight.edgeWidth - Double(ramp)) < 1, "\(sight.edgeWidth)")
        #expect(abs(sight.contrast - 160) <= 4 && abs(sight.brightness - 200) <= 2)
        #expect(sight.burntShare == 0 && !sight.isCut)
    }

    @Test func `are given in pixels of the picture, whatever was decoded of it`() throws {
        let sight = try measure(plate(ramp: 4), Box(x: 40, y: 40, width: 400, height: 140), by: 2)
        #expect(abs(sight.edgeWidth - 8) < 2)
        #expect(sight.glyphHeight == 140 * 0.62)
        #expect(try measure(plate(ramp: 4), Box(x: 20, y: 10, width: 120, height: 100)).glyphHeight == 27)
    }

    @Test func `tell what is burnt out, dark and cut`() throws {
        #expect(try measure(plate(ramp: 2, bright: 255)).burntShare > 0.4)
        #expect(try measure(plate(ramp: 2, dark: 5, bright: 50)).problems.contains(.dark))
        #expect(try measure(plate(ramp: 2), Box(x: 0, y: 20, width: 100, height: 40)).isCut)
        #expect(try measure(plate(ramp: 2), Box(x: 140, y: 20, width: 100, height: 40)).isCut)
        #expect(
            PlateSight(
                reading(Box(x: 900, y: 9, width: 9, height: 9)), in: plate(ramp: 2), reduction: 1, glyphHeight: 9)
                == nil)
        #expect(
            try measure(GrayImage(width: 99, height: 99, filledWith: 7), Box(x: 9, y: 9, width: 50, height: 50))
                .contrast == 0)
    }

    private static func largest(_ name: String) throws -> PlateSight {
        let recognizer = try PlateRecognizer(models: Places.models, country: "np")
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent(name))
        let (result, sights) = try recognizer.sights(in: picture)
        #expect(recognizer.trace == nil && result.width > 0)
        return try #require(sights.first)
    }

    @Test func `of a clean plate find nothing to change`() throws {
        let sight = try Self.largest("clean_zonal_lu_taxi.jpg")
        #expect(sight.isGood && sight.reading.plate.compact == "LU1JA9406", "\(sight)")
        // The plate has one row and is 61 px high.
        #expect((30...45).contains(sight.glyphHeight), "\(sight.glyphHeight)")
    }

    @Test(arguments: ["hard_brazil_car_blur.jpg", "hard_zonal_ba_car_defocus.jpg"])
    func `show what is out of focus`(name: String) throws {
        #expect(try Self.largest(name).problems == [.blurred])
    }

    @Test(arguments: [("clean_zonal_ba_car.jpg", 49.0), ("clean_province_gandaki_car.jpg", 52.0)])
    func `tell the height of the glyphs of several rows, whatever the picture's size`(name: String, height: Double)
        throws
    {
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent(name))
        let half = try #require(try ImageDecoder.decode(picture).image.halved()?.png)
        let recognizer = try PlateRecognizer(models: Places.models, country: "np")
        let whole = try #require(try recognizer.sights(in: picture).sights.first).glyphHeight
        let halved = try #require(try recognizer.sights(in: half).sights.first).glyphHeight
        #expect(abs(whole - height) < 0.3 * height && abs(halved - height / 2) < 0.2 * height, "\(whole) \(halved)")
    }

    @Test func `show that a plate is small, where one that is no plate is larger`() throws {
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_zonal_lu_taxi.jpg"))
        let decoded = try ImageDecoder.decode(picture)
        let half = try #require(decoded.image.halved()?.png)
        let recognizer = try PlateRecognizer(models: Places.models, country: "np")
        let sight = try #require(try recognizer.sights(in: half).sights.first)
        #expect(sight.problems.contains(.small), "\(sight)")
        #expect(try Self.largest("hard_province_6_car_small.jpg").reading.looksLikePlate)
    }
}
