import Enforcement
import Foundation
import TestKit
import Testing

@testable import Recognition

/// A plate with strokes by chance, 60 by 30 units, as a camera sees it from anywhere.
private struct DrawnPlate {
    private var cells = [Bool](repeating: false, count: 20 * 10)

    init(using random: inout some RandomNumberGenerator) {
        for index in cells.indices where Int.random(in: 0..<2, using: &random) == 0 { cells[index] = true }
    }

    /// The plate with all strokes of one of its ten glyphs exchanged.
    func withOtherGlyph(using random: inout some RandomNumberGenerator) -> DrawnPlate {
        var other = self
        let glyph = Int.random(in: 1..<9, using: &random)
        for index in cells.indices where index % 20 / 2 == glyph { other.cells[index].toggle() }
        return other
    }

    private func light(_ x: Double, _ y: Double) -> Double {
        guard (0..<60).contains(x), (0..<30).contains(y) else { return 120 }
        return cells[Int(y / 3) * 20 + Int(x / 3)] ? 40 : 210
    }

    /// The picture of a camera that sees a unit as so many pixels, the plate's corner at a point.
    func seen(
        scale: Double, corner: Point, noise: Double = 0, gain: Double = 1,
        using random: inout some RandomNumberGenerator
    ) -> GrayImage {
        var image = GrayImage(width: 160, height: 110, filledWith: 0)
        for y in 0..<image.height {
            for x in 0..<image.width {
                var sum = 0.0
                for part in 0..<16 {
                    let u = (Double(x) + (Double(part % 4) + 0.5) / 4 - corner.x) / scale
                    let v = (Double(y) + (Double(part / 4) + 0.5) / 4 - corner.y) / scale
                    sum += light(u, v) / 16
                }
                let value = gain * sum + noise * Double.random(in: -1.7...1.7, using: &random)
                image.pixels[y * image.width + x] = UInt8(max(0, min(255, value.rounded())))
            }
        }
        return image
    }

    /// Where it lies then, as a finder that is a pixel or two wrong says it.
    static func box(scale: Double, corner: Point, wrongBy: Int = 0) -> Box {
        Box(
            x: Int(corner.x.rounded()) + wrongBy, y: Int(corner.y.rounded()) - wrongBy,
            width: Int((60 * scale).rounded()),
            height: Int((30 * scale).rounded()))
    }

    /// Looks by chance: nearer and nearer, each on another grid of pixels.
    func looks(_ count: Int, noise: Double, using random: inout some RandomNumberGenerator) -> [PlateLook] {
        (0..<count).compactMap { index in
            let scale = 1 + 0.02 * Double(index)
            let corner = Point(
                50 + Double.random(in: 0...3, using: &random), 40 + Double.random(in: 0...3, using: &random))
            let image = seen(scale: scale, corner: corner, noise: noise, using: &random)
            return PlateLook(
                of: ColourImage(luminance: image), at: Self.box(scale: scale, corner: corner, wrongBy: index % 2))
        }
    }
}

@Suite("A small plate in several frames", .timeLimit(.minutes(5)))
struct FusedPlateTests {
    @Test(arguments: [Seed.drawn()])
    func `is laid on its other picture to a fraction of a pixel, though the boxes and the light are others`(
        _ seed: UInt64
    )
        throws
    {
        var random = SeededGenerator(seed: seed)
        let plate = DrawnPlate(using: &random)
        let (one, other) = (Point(50.3, 40.6), Point(43.8, 37.1))
        let first = plate.seen(scale: 1.2, corner: one, using: &random)
        let second = plate.seen(scale: 1.08, corner: other, noise: 2, gain: 0.7, using: &random)
        let map = try #require(
            Registration(
                of: (Registration.levels(of: FloatImage(first)), DrawnPlate.box(scale: 1.2, corner: one)),
                in: (
                    Registration.levels(of: FloatImage(second)), DrawnPlate.box(scale: 1.08, corner: other, wrongBy: 2)
                )))
        #expect(map.likeness > 0.95)
        // Corners of the plate, and their middle; a pixel's value is that of its middle.
        for (x, y) in [(0.0, 0.0), (60, 0), (0, 30), (60, 30), (30, 15)] {
            let found = map(Point(one.x + 1.2 * x - 0.5, one.y + 1.2 * y - 0.5))
            let truth = Point(other.x + 1.08 * x - 0.5, other.y + 1.08 * y - 0.5)
            #expect((found - truth).length < 0.4, "at \(x), \(y)")
        }
    }

    @Test(arguments: [Seed.drawn()])
    func `put together shows more than its best frame`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plate = DrawnPlate(using: &random)
        let looks = plate.looks(7, noise: 15, using: &random)
        let last = try #require(looks.last)
        let fused = try #require(FusedPlate(looks, least: 4))
        #expect(fused.count == 7)
        // What a camera with three times the pixels sees without noise. The last look's corner isn't known: it is found by registration.
        let truth = plate.seen(scale: 2, corner: Point(20, 25), using: &random)
        let ideal = Registration.levels(of: FloatImage(truth))
        func likeness(_ image: GrayImage, _ box: Box) -> Double {
            Registration(
                of: (ideal, Box(x: 20, y: 25, width: 120, height: 60)),
                in: (Registration.levels(of: FloatImage(image)), box))?.likeness
                ?? 0
        }
        let box = last.plate.scaled(by: FusedPlate.enlargement)
        let single = try #require(FusedPlate([last], least: 1))
        #expect(likeness(fused.colours.luminance, box) > likeness(single.colours.luminance, box) + 0.01)
    }

    @Test(arguments: [Seed.drawn()])
    func `is never put together with another plate`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mine = DrawnPlate(using: &random).looks(2, noise: 3, using: &random)
        let others = (0..<5).flatMap { _ in DrawnPlate(using: &random).looks(1, noise: 3, using: &random) }
        #expect(FusedPlate(others + mine, least: 3) == nil)
        #expect(FusedPlate(others + mine, least: 2)?.count == 2)
    }

    @Test(arguments: [Seed.drawn()])
    func `is never put together with a plate of which one glyph differs`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plate = DrawnPlate(using: &random)
        let mine = plate.looks(2, noise: 3, using: &random)
        let others = (0..<4).flatMap { _ in plate.withOtherGlyph(using: &random).looks(1, noise: 3, using: &random) }
        #expect(FusedPlate(others + mine, least: 2)?.count == 2)
    }

    @Test func `is nothing where the picture shows nothing`() {
        let gray = ColourImage(luminance: GrayImage(width: 200, height: 100, filledWith: 99))
        let looks = (0..<5).compactMap { _ in PlateLook(of: gray, at: Box(x: 60, y: 40, width: 60, height: 30)) }
        #expect(looks.count == 5)
        #expect(FusedPlate(looks, least: 2) == nil)
        #expect(PlateLook(of: gray, at: Box(x: 300, y: 40, width: 60, height: 30)) == nil)
    }

    @Test func `keeps its colours where they are`() throws {
        let width = 200
        var red = GrayImage(width: width / 2, height: 50, filledWith: 128)
        for y in 20..<35 { for x in 30..<60 { red.pixels[y * red.width + x] = 220 } }
        let frame = ColourImage(
            luminance: GrayImage(width: width, height: 100, filledWith: 90),
            chroma: .init(
                blue: GrayImage(width: width / 2, height: 50, filledWith: 128), red: red, shiftX: 1, shiftY: 1))
        let look = try #require(PlateLook(of: frame, at: Box(x: 60, y: 40, width: 60, height: 30)))
        let fused = try #require(FusedPlate([look], least: 1))
        let chroma = try #require(fused.colours.chroma)
        let inside = look.plate.scaled(by: FusedPlate.enlargement)
        #expect(chroma.red.width == fused.colours.width && chroma.red.height == fused.colours.height)
        func value(_ x: Int, _ y: Int) -> UInt8 { chroma.red.pixels[y * chroma.red.width + x] }
        #expect(value(inside.x + 6, inside.y + 6) > 200)
        #expect(value(inside.right - 7, inside.bottom - 7) > 200)
        #expect(value(inside.x - 8, inside.y + 6) < 150)
        #expect(value(inside.right + 8, inside.y + 6) < 150)
    }
}
