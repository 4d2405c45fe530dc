import Enforcement
import Foundation
import TestKit
import Testing

@testable import Recognition

@Suite("Small plates over a camera's frames", .timeLimit(.minutes(5)))
struct SmallPlatesTests {
    private static let frame = ColourImage(luminance: GrayImage(width: 400, height: 300, filledWith: 80))

    /// Which place of each frame is put together.
    private static func ripe(_ places: [[Box]], every milliseconds: Int64 = 200) -> [Int?] {
        var small = SmallPlates()
        return places.enumerated().map { index, places in
            small.see(places, in: frame, at: Instant(milliseconds: 1000 + Int64(index) * milliseconds))?.index
        }
    }

    private static func box(_ x: Int, width: Int = 60) -> Box { Box(x: x, y: 100, width: width, height: width / 2) }

    @Test func `are put together after four looks, and again after three more`() {
        let places = (0..<11).map { [Self.box(40 + 20 * $0)] }
        #expect(Self.ripe(places) == [nil, nil, nil, 0, nil, nil, 0, nil, nil, 0, nil])
    }

    @Test func `are left alone while they stand, as a sign does`() {
        let places = (0..<30).map { [Self.box(40 + $0 % 2)] }
        #expect(Self.ripe(places).allSatisfy { $0 == nil })
    }

    @Test func `are forgotten a moment after they went, and soon where they are elsewhere`() {
        let places = (0..<5).map { [Self.box(40 + 20 * $0)] }
        #expect(Self.ripe(places, every: 1600).allSatisfy { $0 == nil })
        // A clock that stands still doesn't keep them.
        let gone = [places[0], places[1], places[2]] + [[Box]](repeating: [], count: 10) + [places[3]]
        #expect(Self.ripe(gone, every: 0).allSatisfy { $0 == nil })
        let jumping = [40, 300, 40, 300, 40].map { [Self.box($0)] }
        #expect(Self.ripe(jumping).allSatisfy { $0 == nil })
    }

    @Test func `are told apart where several stand side by side, whichever is likelier, and read one a frame`() {
        let places = (0..<6).map { index in
            let both = [Self.box(30 + 5 * index), Self.box(200 - 5 * index)]
            return index % 2 == 0 ? both : both.reversed()
        }
        // The likelier one first, which is the other vehicle in the next frame.
        #expect(Self.ripe(places) == [nil, nil, nil, 0, 0, nil])
    }

    @Test func `do not follow a plate that has become large`() {
        let near = [60, 70, 84, 117].map { [Self.box(40, width: $0)] }
        let follower = (0..<3).map { [Self.box(60 + 20 * $0, width: 84)] }
        #expect(Self.ripe(near + follower).allSatisfy { $0 != 0 } == true)
    }

    @Test func `are small, and no more than a few are followed`() {
        #expect(Self.ripe((0..<8).map { [Self.box(40 + 20 * $0, width: 120)] }).allSatisfy { $0 == nil })
        #expect(Self.ripe((0..<8).map { [Self.box(40 + 5 * $0, width: 10)] }).allSatisfy { $0 == nil })
        // The first four; when they went there is room for others.
        let many = (0..<4).map { step in (0..<6).map { Box(x: 5 + 60 * $0, y: 40 + 10 * step, width: 24, height: 12) } }
        let others = (0..<5).map { [Self.box(300 - 20 * $0, width: 30)] }
        #expect(Self.ripe(many + others) == [nil, nil, nil, 0, nil, nil, nil, 0, nil])
    }
}

@Suite("What several frames say", .timeLimit(.minutes(5)))
struct JoinedFramesTests {
    private static let place = PlateDetection(box: Box(x: 100, y: 100, width: 60, height: 30), score: 0.8)

    private static func reading(
        _ plate: String, _ confidence: Double, at box: Box = Box(x: 0, y: 0, width: 180, height: 90)
    ) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: plate), raw: plate, confidence: confidence, box: box, format: "eu", candidates: [],
            characters: [], look: .init(score: 0, isPlate: false), glyphHeight: 12)
    }

    private static func own(_ plate: String, _ confidence: Double) -> PlateReading {
        var own = reading(plate, confidence, at: Box(x: 102, y: 110, width: 55, height: 15))
        (own.look, own.glyphHeight) = (.init(score: 0.8, isPlate: true), 10)
        return own
    }

    private static func joined(_ frame: [PlateReading], unread: [PlateReading] = [], with fused: PlateReading)
        -> PlateRecognizer.Result
    {
        var result = PlateRecognizer.Result(
            width: 400, height: 300, readings: frame, unread: unread, regions: [], places: [], times: .init())
        result.join(fused, at: place, Places.parameters)
        return result
    }

    @Test func `counts where this frame says nothing, at its place, and only as one way of reading alone`() throws {
        let unread = PlateReading.unread(at: Self.place.box, look: .init(score: 0.8, isPlate: true))
        let beside = PlateReading.unread(
            at: Box(x: 155, y: 100, width: 60, height: 30), look: .init(score: 0.9, isPlate: true))
        let result = Self.joined([], unread: [unread, beside], with: Self.reading("AB 123", 0.99))
        let found = try #require(result.readings.first)
        #expect(found.plate.canonical == "AB 123" && found.box == Self.place.box)
        #expect(found.confidence == Places.parameters.whole.alone)
        #expect(found.look == .init(score: 0.8, isPlate: true) && found.glyphHeight == 12)
        #expect(result.unread == [beside])
    }

    @Test func `leaves a plate to a ranger where it says next to nothing`() {
        let unread = PlateReading.unread(at: Self.place.box, look: .init(score: 0.8, isPlate: true))
        let result = Self.joined([], unread: [unread], with: Self.reading("AB 123", 0.2))
        #expect(result.readings.isEmpty && result.unread == [unread])
    }

    @Test func `counts instead of what this frame reads less surely, less where both contradict each other`() throws {
        let same = try #require(
            Self.joined([Self.own("AB 123", 0.3)], with: Self.reading("AB 123", 0.45)).readings.first)
        #expect(same.confidence == 0.45)
        let other = try #require(
            Self.joined([Self.own("AB 128", 0.1)], with: Self.reading("AB 123", 0.45)).readings.first)
        #expect(other.plate.canonical == "AB 123" && other.confidence < 0.4)
        // Where it is, how large and what it looks like, the frame says.
        #expect(other.box == Self.own("", 0).box && other.glyphHeight == 10 && other.look?.isPlate == true)
        #expect(
            Self.joined([Self.own("AB 128", 0.5)], with: Self.reading("AB 123", 0.9)).readings.map(\.plate.canonical)
                == ["AB 128"])
    }

    @Test func `says nothing of the vehicle beside it`() {
        let other = Self.reading("XY 999", 0.6, at: Box(x: 300, y: 100, width: 60, height: 30))
        let result = Self.joined([other], with: Self.reading("AB 123", 0.7))
        #expect(result.readings.map(\.plate.canonical) == ["XY 999", "AB 123"])
    }

    @Test func `is not asked where this frame is sure, or where an edge makes it doubtful`() {
        func isSettled(_ reading: PlateReading) -> Bool {
            PlateRecognizer.Result(
                width: 400, height: 300, readings: [reading], unread: [], regions: [], places: [], times: .init()
            ).isSettled(at: Self.place.box, 0.8)
        }
        var cut = Self.own("AB 123", 0.3)
        cut.bound = 0.6
        #expect(isSettled(Self.own("AB 123", 0.8)) && isSettled(cut))
        #expect(!isSettled(Self.own("AB 123", 0.7)))
        #expect(!isSettled(Self.reading("XY 999", 0.9, at: Box(x: 300, y: 100, width: 60, height: 30))))
    }
}

@Suite("Frames of a camera, read one after the other", .timeLimit(.minutes(5)))
struct FrameSequenceTests {
    /// A drawn car that passes: its plate, 206 x 53 pixels at 548, 450, becomes so many times smaller.
    private static func film(shrunk: Double, noise: Int, seed: UInt64) throws -> [Film] {
        var random = SeededGenerator(seed: seed)
        let still = try Data(contentsOf: Places.stills.appendingPathComponent("clean_europe_car.jpg"))
        let photo = try ImageDecoder.decode(still).image
        return (0..<8).map { index in
            let x = Double(10 * index) + Double.random(in: 0...1, using: &random)
            let y = Double.random(in: 0...1, using: &random)
            var frame = photo.sampled(
                width: 420, height: 220, origin: Point(-x * shrunk, -y * shrunk), right: Point(shrunk, 0),
                down: Point(0, shrunk))
            for at in frame.pixels.indices {
                let value = Int(frame.pixels[at]) + Int.random(in: -noise...noise, using: &random)
                frame.pixels[at] = UInt8(max(0, min(255, value)))
            }
            let place = Box(
                x: Int(x + 548 / shrunk), y: Int(y + 450 / shrunk), width: Int(206 / shrunk), height: Int(53 / shrunk))
            let file = Data("P5 \(frame.width) \(frame.height) 255\n".utf8) + Data(frame.pixels)
            return Film(picture: file, at: Instant(milliseconds: Int64(index) * 200), plate: place)
        }
    }

    private struct Film {
        var picture: Data
        var at: Instant
        var plate: Box
    }

    /// What each frame says alone, and as one of its film.
    private static func read(
        _ film: [Film], passingOver isPassedOver: (Box, Int, Int) -> Bool = { _, _, _ in false }
    ) throws -> [(frame: Film, alone: PlateRecognizer.Result, together: PlateRecognizer.Result)] {
        let reader = FrameSequenceReader(try PlateRecognizer(models: Places.models))
        let single = try PlateRecognizer(models: Places.models)
        return try film.map { frame in
            (
                frame, try single.recognize(frame.picture),
                try reader.recognize(frame.picture, at: frame.at, passingOver: isPassedOver)
            )
        }
    }

    @Test func `say more of a small plate than each alone`() throws {
        var surer = 0
        for seed in [1, 2, 3] as [UInt64] {
            for (_, alone, together) in try Self.read(Self.film(shrunk: 5.2, noise: 12, seed: seed)) {
                let plate = "KR8T274"
                let own = alone.readings.first { $0.plate.compact == plate }?.confidence ?? 0
                let both = together.readings.first { $0.plate.compact == plate }?.confidence ?? 0
                #expect(both >= own)
                surer += both > own ? 1 : 0
            }
        }
        #expect(surer >= 3)
    }

    @Test(arguments: [Seed.drawn()])
    func `change nothing but at the plate's place, and are never surer than one way of reading`(_ seed: UInt64) throws {
        for (frame, alone, together) in try Self.read(Self.film(shrunk: 5.2, noise: 9, seed: seed)) {
            #expect(together.width == alone.width && together.readings.count >= alone.readings.count)
            for reading in together.readings where !alone.readings.contains(reading) {
                #expect(reading.box.isSamePlace(as: frame.plate))
                #expect(reading.confidence <= Places.parameters.whole.alone)
            }
        }
    }

    @Test func `are left alone where the place is passed over`() throws {
        for (_, alone, together) in try Self.read(
            Self.film(shrunk: 5.2, noise: 12, seed: 1), passingOver: { _, _, _ in true })
        {
            #expect(together.readings == alone.readings && together.unread == alone.unread)
        }
    }

    @Test func `a reading on a reduced picture tells its place and its characters' height in pixels of the whole one`()
    {
        let reading = PlateReading(
            plate: Plate(canonical: "AB 123"), raw: "", confidence: 0.5, box: Box(x: 1, y: 2, width: 30, height: 10),
            format: "eu", candidates: [], characters: [], glyphHeight: 9)
        let scaled = reading.scaled(by: 4)
        #expect(scaled.box == Box(x: 4, y: 8, width: 120, height: 40) && scaled.glyphHeight == 36)
    }
}
