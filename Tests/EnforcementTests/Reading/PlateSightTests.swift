import Testing

@testable import Enforcement

@Suite("How a plate stands in a picture", .timeLimit(.minutes(5)))
struct PlateSightTests {
    /// A plate that is well in the picture, and changes of it.
    private func sight(_ change: (inout PlateSight) -> Void = { _ in }) -> PlateSight {
        let reading = PlateReading(
            plate: Plate(canonical: "BA 1 PA 1234"), raw: "", confidence: 0.9,
            box: Box(x: 0, y: 0, width: 1, height: 1),
            format: "", candidates: [], characters: [])
        var sight = PlateSight(
            box: Box(x: 100, y: 100, width: 160, height: 60), glyphHeight: 24, edgeWidth: 2.2, contrast: 150,
            brightness: 210, burntShare: 0.01, isCut: false, reading: reading)
        change(&sight)
        return sight
    }

    @Test func `is good when it is large, sharp, well lit and surely read`() {
        #expect(sight().problems == [] && sight().isGood)
        #expect(!sight { $0.reading.confidence = 0.79 }.isGood)
        #expect(sight { $0.reading.confidence = 0.8 }.isGood)
    }

    @Test(arguments: [
        (11.9, AimProblem.tooSmall), (12, .small), (19.9, .small), (20, nil),
    ])
    func `is small by the height of its glyphs`(height: Double, problem: AimProblem?) {
        #expect(sight { $0.glyphHeight = height }.problems == [problem].compactMap(\.self))
    }

    @Test func `is blurred when its edges are wider than its strokes bear, and small glyphs bear a sharp lens`() {
        #expect(sight { $0.edgeWidth = 3.59 }.problems == [])
        #expect(sight { $0.edgeWidth = 3.61 }.problems == [.blurred])
        #expect(sight { ($0.glyphHeight, $0.edgeWidth) = (8, 3.5) }.problems == [.tooSmall])
        #expect(sight { ($0.glyphHeight, $0.edgeWidth) = (8, 3.6) }.problems == [.tooSmall, .blurred])
    }

    @Test func `has one fault of its light at a time, and no width of edges where there is no light for it`() {
        #expect(sight { ($0.burntShare, $0.edgeWidth) = (0.41, 90) }.problems == [.burnt])
        #expect(sight { ($0.brightness, $0.contrast, $0.edgeWidth) = (59, 30, 90) }.problems == [.dark])
        #expect(sight { ($0.contrast, $0.edgeWidth) = (39, 90) }.problems == [.flat])
        #expect(sight { ($0.burntShare, $0.brightness, $0.contrast) = (0.4, 60, 40) }.problems == [])
    }

    @Test
    func `that is well in the picture and not read says so, and nothing of it where something else is the matter`() {
        let unread = PlateReading.unread(at: Box(x: 0, y: 0, width: 1, height: 1), look: .init(score: 1, isPlate: true))
        #expect(sight { $0.reading = unread }.problems == [.unread])
        #expect(sight { ($0.reading, $0.isCut) = (unread, true) }.problems == [.cut])
    }
}
