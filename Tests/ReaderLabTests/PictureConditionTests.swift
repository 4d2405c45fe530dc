import Enforcement
import Foundation
import Recognition
import TestKit
import Testing

@testable import ReaderLab

@Suite("Light and weather that are drawn over a picture", .timeLimit(.minutes(2)))
struct PictureConditionTests {
    private static let plate = Box(x: 80, y: 80, width: 80, height: 24)

    /// A red plate with a white stroke on a gray ground, with a dark edge above it.
    private func day() -> PixelCanvas {
        var canvas = PixelCanvas(width: 240, height: 200, values: [Float](repeating: 0, count: 3 * 240 * 200))
        let plate = Self.plate
        canvas.change { x, y, red, green, blue in
            (red, green, blue) = y < 60 ? (20, 20, 20) : (120, 120, 120)
            guard (plate.x..<plate.right).contains(x), (plate.y..<plate.bottom).contains(y) else { return }
            (red, green, blue) = (115..<125).contains(x) ? (230, 230, 230) : (190, 30, 40)
        }
        return canvas
    }

    private func drawn(_ condition: PictureCondition, seed: UInt64 = 1) -> PixelCanvas {
        var canvas = day()
        var random = SeededGenerator(seed: seed)
        condition.draw(on: &canvas, plates: [Self.plate], using: &random)
        return canvas
    }

    /// The mean of red, green and blue in a box.
    private func mean(_ canvas: PixelCanvas, _ box: Box) -> [Float] {
        (0..<3).map { channel in
            var sum: Float = 0
            for y in box.y..<box.bottom {
                for x in box.x..<box.right { sum += canvas.values[3 * (y * canvas.width + x) + channel] }
            }
            return sum / Float(box.area)
        }
    }

    private static let ground = Box(x: 180, y: 120, width: 40, height: 40)
    private static let paint = Box(x: 84, y: 84, width: 26, height: 16)
    private static let letter = Box(x: 117, y: 84, width: 6, height: 16)

    @Test func `by day nothing changes, and at dusk a quarter of the light is left`() {
        #expect(drawn(.day).values == day().values)
        #expect(abs(mean(drawn(.dusk), Self.ground)[0] - 30) < 3)
    }

    @Test func `under infrared there is no colour, and red paint is nearly as bright as its letters`() {
        let canvas = drawn(.infrared)
        let (paint, letter) = (mean(canvas, Self.paint), mean(canvas, Self.letter))
        #expect(paint[0] == paint[1] && paint[1] == paint[2])
        #expect(letter[0] - paint[0] < 80)
        #expect(mean(day(), Self.letter)[1] - mean(day(), Self.paint)[1] == 200)
        #expect(mean(canvas, Self.ground)[0] < mean(canvas, Box(x: 100, y: 110, width: 40, height: 20))[0])
    }

    @Test func `headlights burn out what is beside the plate, and its own contrast sinks`() {
        let canvas = drawn(.headlights)
        #expect(mean(canvas, Box(x: 220, y: 60, width: 8, height: 8)).allSatisfy { $0 > 240 })
        #expect(mean(canvas, Box(x: 0, y: 180, width: 240, height: 20))[0] < 90)
        #expect(mean(canvas, Self.letter)[1] - mean(canvas, Self.paint)[1] < 120)
    }

    @Test func `a plate that burns out is as bright as its letters, and nothing beside it is`() {
        let canvas = drawn(.burntOut)
        #expect(mean(canvas, Self.letter)[0] == 255 && mean(canvas, Self.paint)[0] == 255)
        #expect(mean(canvas, Self.ground)[0] == 72)
    }

    @Test func `dust and rain leave less contrast, and rain draws streaks`() {
        func contrast(_ canvas: PixelCanvas) -> Float { mean(canvas, Self.letter)[1] - mean(canvas, Self.paint)[1] }
        #expect(abs(contrast(drawn(.dust)) - 90) < 8)
        #expect(abs(contrast(drawn(.rain)) - 140) < 20)
        // Noise is 3 strong; a streak is brighter than any of it, and there is none in dust.
        func brightest(_ canvas: PixelCanvas) -> Float {
            let rows = (Self.ground.y..<Self.ground.bottom).map { 3 * ($0 * canvas.width + Self.ground.x) }
            let reds = rows.flatMap { row in (0..<Self.ground.width).map { canvas.values[row + 3 * $0] } }
            return (reds.max() ?? 0) - reds.reduce(0, +) / Float(reds.count)
        }
        #expect(brightest(drawn(.rain)) > 20 && brightest(drawn(.dust)) < 15)
    }

    @Test func `a shadow's edge runs through the plate`() {
        let canvas = drawn(.halfShadow)
        let dark = mean(canvas, Box(x: 84, y: 84, width: 12, height: 16))[0]
        let bright = mean(canvas, Box(x: 146, y: 84, width: 10, height: 16))[0]
        #expect(abs(dark - 57) < 1 && abs(bright - 237.5) < 1)
    }

    @Test func `a slow shutter smears edges along the vehicle's way and leaves those across it`() {
        let canvas = drawn(.motion)
        func value(_ x: Int, _ y: Int) -> Float { canvas.values[3 * (y * canvas.width + x)] }
        // The ground begins at row 60: a twentieth of 80 pixels later it is as bright as it was.
        #expect(value(10, 59) == 20 && value(10, 61) > 20 && value(10, 61) < 120 && value(10, 63) == 120)
        #expect(value(110, 96) == 190 && value(116, 96) == 230)
    }

    @Test func `is the same again from the same seed, and another from another`() {
        for condition in [PictureCondition.dusk, .infrared, .headlights, .rain, .dust] {
            #expect(drawn(condition, seed: 5).values == drawn(condition, seed: 5).values)
            #expect(drawn(condition, seed: 5).values != drawn(condition, seed: 6).values)
        }
    }

    @Test(arguments: PictureCondition.allCases)
    func `makes a picture of the same size, wherever the plates are said to be`(_ condition: PictureCondition) throws {
        let picture = try SamplePicture.drive()
        var random = SeededGenerator(seed: 3)
        for plates in [[], [Box(x: 900, y: 500, width: 400, height: 300)], [Box(x: -50, y: -9, width: 20, height: 4)]] {
            let frame = try condition.frame(of: picture, plates: plates, using: &random)
            let size = try ImageDecoder.size(of: frame)
            #expect(size.width == 960 && size.height == 540)
        }
        #expect(throws: ImageError.self) {
            try condition.frame(of: picture.prefix(200), plates: [], using: &random)
        }
    }
}
