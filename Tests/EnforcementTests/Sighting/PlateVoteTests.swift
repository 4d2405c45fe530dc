import TestKit
import Testing

@testable import Enforcement

@Suite("A vote over a vehicle's readings", .timeLimit(.minutes(5)))
struct PlateVoteTests {
    private func vote(_ readings: PlateReading...) -> PlateReading? {
        var vote = PlateVote()
        for reading in readings { vote.add(reading) }
        return vote.result(formats: FormatMatcher())
    }

    /// Simulates a mediocre camera: each character is read right with 85 %; a wrong one is less sure and often keeps the
    /// right one as its second thought.
    @Test func `of five mediocre frames beats the surest single one`() {
        var random = SeededGenerator(seed: 11)
        var votedRight = 0
        var singleRight = 0
        for _ in 0..<200 {
            let truth = Self.plate(&random)
            var vote = PlateVote()
            for _ in 0..<5 { vote.add(Self.mediocre(truth, &random)) }
            votedRight += vote.result(formats: FormatMatcher())?.plate.compact == truth ? 1 : 0
            singleRight += vote.best?.plate.compact == truth ? 1 : 0
        }
        #expect(votedRight >= 170, "voted \(votedRight), single \(singleRight) of 200")
        #expect(votedRight >= singleRight + 40, "voted \(votedRight), single \(singleRight) of 200")
    }

    @Test func `of one reading is that reading`() {
        #expect(vote(reading("UP32AB1234", 0.6)) == reading("UP32AB1234", 0.6))
    }

    @Test func `of none is none`() {
        #expect(PlateVote().result(formats: FormatMatcher()) == nil)
    }

    @Test(arguments: ["UP32AB123", "P32AB1234", "UP32B1234", "UPP32AB1234", "UP32AB12341"])
    func `lines up a reading that has a character less or more`(odd: String) {
        let voted = vote(reading("UP32AB1234", 0.7), reading(odd, 0.75), reading("UP32AB1234", 0.7))
        #expect(voted?.plate.canonical == "UP 32 AB 1234")
    }

    @Test func `weighs a reading by its confidence`() {
        let voted = vote(reading("UP32AB1254", 0.4), reading("UP32AB1234", 0.95), reading("UP32AB1254", 0.4))
        #expect(voted?.plate.compact == "UP32AB1234")
    }

    /// The weight is the square: two at 0.6 (0.72) lose against one at 0.95 (0.90), two at 0.72 (1.04) win.
    @Test(arguments: [(0.6, "UP32AB1234"), (0.72, "UP32AB1254")])
    func `weighs a reading by the square of its confidence`(doubt: Double, plate: String) {
        let voted = vote(reading("UP32AB1254", doubt), reading("UP32AB1234", 0.95), reading("UP32AB1254", doubt))
        #expect(voted?.plate.compact == plate)
    }

    @Test func `grows surer as readings agree and less sure as they differ`() throws {
        let one = try #require(vote(reading("UP32AB1234", 0.7)))
        let agreed = try #require(vote(reading("UP32AB1234", 0.7), reading("UP32AB1234", 0.7)))
        let split = try #require(vote(reading("UP32AB1234", 0.7), reading("UP32AB1284", 0.7)))
        #expect(agreed.confidence > one.confidence)
        #expect(split.confidence < one.confidence)
    }

    @Test func `does not become sure of a poor reading by repetition`() throws {
        var vote = PlateVote()
        for _ in 0..<1000 { vote.add(reading("CAFE2000", 0.5)) }
        let voted = try #require(vote.result(formats: FormatMatcher()))
        #expect(voted.confidence < 0.8)
        #expect(vote.readings.count == PlateVote.maximumReadings)
    }

    @Test func `keeps the surest readings`() {
        var vote = PlateVote()
        for step in 0..<40 { vote.add(reading("UP32AB1234", Double(step % 20) / 20)) }
        let countsPoor = vote.add(reading("UP32AB1234", 0.1))
        let countsSure = vote.add(reading("UP32AB1234", 0.99))
        #expect(!countsPoor)
        #expect(countsSure)
        #expect(vote.readings.allSatisfy { $0.confidence >= 0.6 })
    }

    private static func plate(_ random: inout SeededGenerator) -> String {
        let letters = "ABCDEFGHJKLMNPRSTUVWXY"
        let series = (0..<2).map { _ in letters.randomElement(using: &random) ?? "A" }
        let digits = (0..<6).map { _ in "0123456789".randomElement(using: &random) ?? "0" }
        return "UP" + String(digits[..<2]) + String(series) + String(digits[2...])
    }

    private static func mediocre(_ truth: String, _ random: inout SeededGenerator) -> PlateReading {
        var text = ""
        var confidence = 1.0
        let characters = truth.map { right in
            let isRight = Double.random(in: 0..<1, using: &random) < 0.85
            let pool = right.isNumber ? "0123456789" : "ABCDEFGHJKLMNPRSTUVWXY"
            let wrong = pool.filter { $0 != right }.randomElement(using: &random) ?? "X"
            let sureness = Double.random(in: isRight ? 0.6..<0.9 : 0.45..<0.75, using: &random)
            confidence *= sureness
            text.append(isRight ? right : wrong)
            return CharacterAlternatives([
                .init(symbol: String(isRight ? right : wrong), probability: sureness),
                .init(symbol: String(isRight ? wrong : right), probability: (1 - sureness) * 0.6),
            ])
        }
        var reading = reading(text, geometricMean(confidence, count: truth.count))
        reading.characters = characters
        return reading
    }
}

@Suite("An edit distance", .timeLimit(.minutes(5)))
struct EditDistanceTests {
    @Test(arguments: [("", "", 0), ("", "AB", 2), ("AB", "AB", 0), ("AB", "AXB", 1), ("KITTEN", "SITTING", 3)])
    func `counts what must change, in either direction`(left: String, right: String, distance: Int) {
        #expect(editDistance(left, right) == distance)
        #expect(editDistance(right, left) == distance)
    }
}
