import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("What a tracker weighs, figure by figure", .timeLimit(.minutes(10)))
struct SightingFigureTranscriptTests {
    private struct Draw {
        var random: SeededGenerator
        let start = Transcript().start

        mutating func frame(_ number: Int, at time: Instant) -> FrameReference {
            FrameReference(sha256: "\(number)", camera: "gate", recordedAt: time, clockState: .synchronised)
        }

        mutating func box() -> Enforcement.Box {
            let (width, height) = random.one(of: [(60, 20), (90, 30), (100, 36), (160, 54)])
            return Box(x: 20 * random.below(12), y: 10 * random.below(12), width: width, height: height)
        }

        mutating func reading(unread: Int = 10) -> PlateReading {
            let look = random.one(of: [
                nil, PlateReading.Look(score: 0.9, isPlate: true), .init(score: 0.1, isPlate: false),
            ])
            if random.hundredths(unread) { return .unread(at: box(), look: look ?? .init(score: 0.5, isPlate: true)) }
            var text = random.one(of: ["UP32AB1234", "UP32AB1234", "UP32AB1284", "BAC5763", "UP1PA77"]).map(String.init)
            let confidence = random.one(of: [-0.2, 0.1, 0.4, 0.7, 0.9, 0.99, 1.4])
            for _ in 0..<random.below(3) {
                text[random.below(text.count)] = random.one(of: ["8", "B", "O", "0", "7", "T"])
            }
            if random.hundredths(20) { text.removeLast() }
            let characters = text.map { symbol in
                CharacterAlternatives([
                    .init(symbol: symbol, probability: max(0.05, min(1, confidence)) * (0.5 + 0.5 * random.share())),
                    .init(symbol: random.one(of: ["8", "1", "A"]), probability: random.one(of: [0, 0.2, 0.4])),
                ])
            }
            return PlateReading(
                plate: PlateNormalizer.normalize(text.joined()) ?? Plate(canonical: "X"), raw: text.joined(),
                confidence: confidence, box: box(), format: random.one(of: ["in", "latin", "np-embossed"]),
                candidates: [],
                characters: random.hundredths(80) ? characters : [],
                colour: random.one(of: [nil, .red, .yellow, .black]), look: look)
        }
    }

    @Test func `what a reading costs a vehicle is as the transcript says`() throws {
        var draw = Draw(random: SeededGenerator(seed: 51))
        var script = Transcript()
        for number in 0..<700 {
            let first = draw.reading()
            var sighting = OpenSighting(
                number: 1, reading: first, frame: draw.frame(0, at: draw.start), now: draw.start)
            for step in 1...(1 + draw.random.below(3)) {
                let at = draw.start + .seconds(Double(step))
                var next = draw.reading()
                if draw.random.hundredths(70) { next.box = sighting.box }
                if sighting.add(next, draw.frame(step, at: at), at) { script.add("  best \(step)") }
            }
            let gap = draw.random.one(of: [0, 1.999, 2, 2.001, 19.999, 20, 20.001, -2, -2.001])
            var other = draw.reading(unread: 5)
            if draw.random.hundredths(50) {
                other.box = sighting.box
                other.box.x += draw.random.one(of: [0, 40, 90, 135, 136, 150, 151, 240, 241])
                other.box.height = other.box.height * draw.random.one(of: [10, 18, 19, 20]) / 10
            }
            let time = sighting.lastSeenAt + .seconds(gap)
            let cost = sighting.cost(of: other, at: time, .init()).map(Transcript.figure) ?? "-"
            let best = sighting.vote.best
            let contradictions = best.map { Transcript.figure(Resemblance.contradictions($0, other)) } ?? "-"
            let difference = best.map { Transcript.figure(Resemblance.difference($0.plate, other.plate)) } ?? "-"
            script.add(
                "\(number) \(best?.plate.compact ?? "unread") and \(other.isUnread ? "unread" : other.plate.compact) after \(gap): \(cost) "
                    + "\(contradictions) \(difference) \(sighting.hasMoved) \(sighting.isSamePlate(other)) \(sighting.frameCount) "
                    + "\(sighting.decidedAtCount) \(Transcript.figure(sighting.bestConfidence))")
        }
        try script.check("sighting-costs")
    }

    @Test func `what a vote comes to is as the transcript says`() throws {
        var draw = Draw(random: SeededGenerator(seed: 52))
        var script = Transcript()
        let judge = SightingJudge(country: "np")
        for number in 0..<250 {
            var vote = PlateVote()
            let readings = (0..<draw.random.one(of: [1, 2, 3, 5, 6, 17])).map { _ in draw.reading(unread: 0).bounded() }
            let counted = readings.map { vote.add($0) ? "1" : "0" }.joined()
            guard let result = vote.result(formats: FormatMatcher(country: draw.random.one(of: [nil, "in", "np"])))
            else { continue }
            let candidates = result.candidates.prefix(3).map {
                "\($0.plate.compact) \(Transcript.figure($0.confidence))"
            }
            script.add(
                "\(number) \(counted) \(result.plate) \(result.format) \(Transcript.figure(result.confidence)) "
                    + "\(result.colour?.rawValue ?? "-") "
                    + "\(result.look.map { "\(Transcript.figure($0.score)) \($0.isPlate)" } ?? "-") “\(result.raw)” \(candidates) "
                    + "\(judge.isSure(result, RecordingConfidence())) \(judge.isUsual(result)) \(judge.isWriting(result))"
            )
        }
        try script.check("votes")
    }

    @Test func `which writing stands is as the transcript says`() throws {
        var draw = Draw(random: SeededGenerator(seed: 53))
        var script = Transcript()
        for number in 0..<60 {
            var standing = StandingText()
            var now = draw.start
            let height = draw.random.one(of: [20, 30, 50, 80])
            let base = Box(x: 40, y: 40, width: 200, height: height)
            let isPlate = draw.random.one(of: [0, 0, 30, 60, 100])
            let changing = draw.random.one(of: [0, 50, 65, 100])
            let shown = draw.random.one(of: [60, 74, 78, 100])
            var line = "\(number) height \(height) plate \(isPlate) changing \(changing) shown \(shown):"
            for step in 0..<90 {
                now = now + .seconds(draw.random.one(of: [0.5, 3, 3.5, 10, 20]))
                var box = base
                box.y += draw.random.one(of: [0, 0, 0, 1, 2, 3, 4, 5, 6])
                box.height += draw.random.one(of: [0, 0, 0, -2, 3])
                box.x += draw.random.one(of: [0, 0, 30, 79, 80, 81, 100])
                let text = draw.random.hundredths(changing) ? "A\(step % 10)B\(step / 10)" : "AB12"
                var reading = reading(text, 0.5, box: box)
                reading.look = .init(score: 0.5, isPlate: draw.random.hundredths(isPlate))
                standing.see(draw.random.hundredths(shown) ? [reading] : [], at: now)
                if step % 15 == 14 {
                    let places = standing.places.map {
                        "\($0.frames)/\($0.missed)/\($0.changes)/\($0.plateFrames)\($0.isCertain ? "!" : "")"
                    }
                    line +=
                        " \(places) \(standing.isStanding(reading)) \(standing.shows(reading, at: now + .seconds(20), within: .seconds(20)))"
                }
            }
            for hours in [0.016, 0.017, 36, 36.001] {
                var later = standing
                later.see([], at: now + .hours(hours))
                line += " \(later.places.count)"
            }
            script.add(line)
        }
        try script.check("standing-writing")
    }

    /// One pixel a cell, so that each figure is that of one cell.
    @Test func `which pictures are worth a look is as the transcript says`() throws {
        var draw = SeededGenerator(seed: 54)
        var script = Transcript()
        var gate = StillnessGate()
        var now = script.start
        let base = (0..<32 * 24).map { _ in UInt8(40 + draw.below(150)) }
        for number in 0..<500 {
            now = now + .seconds(draw.one(of: [0.2, 0.5, 0.5, 1, 1.999, 2, 9.999, 10, 29.999, 30, -1]))
            let light = draw.one(of: [1, 1, 1, 0.95, 1.1, 0.76, 0.7, 1.34, 1.45])
            let noise = draw.one(of: [0, 0, 1, 2, 4, 8])
            let changed = draw.one(of: [0, 0, 0, 1, 2, 3, 190])
            let by = draw.one(of: [5, 6, 7, 9, 13, 14, 15, 20])
            var pixels = base.map { Double($0) * light + Double(draw.below(2 * noise + 1) - noise) }
            for cell in 0..<changed {
                let (x, y) = (cell % 16 * 2, cell / 16 * 2)
                for place in [y * 32 + x, y * 32 + x + 1, (y + 1) * 32 + x, (y + 1) * 32 + x + 1] {
                    pixels[place] += Double(by)
                }
            }
            let size = draw.hundredths(97) ? (32, 24) : (24, 32)
            let bytes = pixels.map { UInt8(min(max($0.rounded(), 0), 255)) }
            guard let picture = GrayThumbnail(width: size.0, height: size.1, pixels: bytes) else { continue }
            let verdict = gate.verdict(picture, at: now)
            if draw.hundredths(4) { gate.found(at: now - .seconds(draw.one(of: [0, 3]))) }
            script.add("\(number) light \(light) noise \(noise) \(changed) cells by \(by): \(verdict)")
        }
        try script.check("still-pictures")
    }

    @Test func `a picture is made smaller by whole squares`() {
        let pixels = (0..<12).map { UInt8($0 * 20) }
        let picture = GrayThumbnail(width: 4, height: 3, pixels: pixels)
        #expect(picture?.reduced(toWidth: 4) == picture && picture?.reduced(toWidth: 9) == picture)
        #expect(picture?.reduced(toWidth: 2) == GrayThumbnail(width: 2, height: 1, pixels: [50, 90]))
        #expect(picture?.reduced(toWidth: 3) == GrayThumbnail(width: 2, height: 1, pixels: [50, 90]))
        #expect(picture?.reduced(toWidth: 1) == picture && picture?.reduced(toWidth: 0) == picture)
        #expect(
            GrayThumbnail(width: 0, height: 1, pixels: []) == nil
                && GrayThumbnail(width: 1, height: 0, pixels: []) == nil)
        #expect(GrayThumbnail(width: 2, height: 2, pixels: [1, 2, 3]) == nil)
        let widest = 1 << 15
        #expect(GrayThumbnail(width: widest, height: 1, pixels: .init(repeating: 0, count: widest)) != nil)
        #expect(GrayThumbnail(width: widest + 1, height: 1, pixels: .init(repeating: 0, count: widest + 1)) == nil)
        #expect(GrayThumbnail(width: 1, height: widest, pixels: .init(repeating: 0, count: widest)) != nil)
        #expect(GrayThumbnail(width: 1, height: widest + 1, pixels: .init(repeating: 0, count: widest + 1)) == nil)
    }

    @Test func `texts are as far apart as their edits`() {
        let pairs = [
            ("", ""), ("", "abc"), ("abc", ""), ("kitten", "sitting"), ("ab", "ba"), ("abcdef", "defabc"), ("a", "b"),
        ]
        #expect(pairs.map { editDistance($0.0, $0.1) } == [0, 3, 3, 3, 2, 6, 1])
    }

    @Test func `a place is hidden with its middle on the mask's edge, and not beyond it`() throws {
        let mask = try #require(PictureMask("10,20,30,40"))
        #expect(mask.hiddenPart == 0.12 && PictureMask().hiddenPart == 0)
        #expect(PictureMask("10,20,30,40;10,20,30,40")?.hiddenPart == 0.12, "what two hide counts once")
        func hides(_ x: Int, _ y: Int, _ width: Int = 100, _ height: Int = 100) -> Bool {
            mask.hides(Box(x: x - 1, y: y - 1, width: 2, height: 2), width: width, height: height)
        }
        #expect(hides(10, 20) && hides(40, 60) && !hides(9, 20) && !hides(10, 19) && !hides(41, 60) && !hides(40, 61))
        #expect(!hides(10, 20, 0, 100) && !hides(10, 20, 100, 0) && !hides(10, 20, -1, 100) && hides(20, 20, 200, 100))
        for text in ["0,0,100,99", "99,99,1,1", "0,0,0.1,0.1"] { #expect(PictureMask(text) != nil, "\(text)") }
        for text in [
            "0,0,100.1,1", "0,0,1,100.1", "0,-0.1,1,1", "0,0,1,0", "0,0,0,1", "1,1,1,1,1", "0,0,100,100",
            "0,0,50,100;50,0,50,100",
        ] {
            #expect(PictureMask(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        (0, 0, 1_000_000, 1_000_000, true), (1_000_000, 1_000_000, 0, 0, true), (-1_000_000, -1_000_000, 1, 1, true),
        (1_000_001, 0, 1, 1, false), (0, 1_000_001, 1, 1, false), (-1_000_001, 0, 1, 1, false),
        (0, 0, 1_000_001, 1, false),
        (0, 0, 1, 1_000_001, false), (0, 0, -1, 1, false), (0, 0, 1, -1, false),
    ])
    func `a box lies within a million pixels`(x: Int, y: Int, width: Int, height: Int, isOne: Bool) {
        let data = Data("[\(x),\(y),\(width),\(height)]".utf8)
        #expect(((try? JSONDecoder().decode(Enforcement.Box.self, from: data)) != nil) == isOne)
    }
}
