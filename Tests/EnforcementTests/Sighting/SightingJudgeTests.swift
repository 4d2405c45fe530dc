import Testing

@testable import Enforcement

@Suite("A judge of readings", .timeLimit(.minutes(5)))
struct SightingJudgeTests {
    private func plate(_ format: PlateFormat, _ confidence: Double) -> PlateReading {
        var plate = reading("BA1PA2345", confidence)
        plate.format = format.name
        return plate
    }

    @Test func `takes a reading for sure that is just as sure as it must be`() {
        let judge = SightingJudge(country: "np")
        let settings = RecordingConfidence()
        let least = (latin: settings.any, devanagari: settings.devanagari)
        #expect(least.latin < least.devanagari, "painted plates take more")
        #expect(judge.isSure(plate(.nepalEmbossed, least.latin), settings))
        #expect(!judge.isSure(plate(.nepalEmbossed, least.latin.nextDown), settings))
        #expect(judge.isSure(plate(.nepalZonal, least.devanagari), settings))
        #expect(!judge.isSure(plate(.nepalZonal, least.devanagari.nextDown), settings))
    }

    @Test func `takes nothing for sure that is in part, off a plate, or of no kind that the country has`() {
        let settings = RecordingConfidence()
        var partial = plate(.nepalEmbossed, 1)
        partial.plate = Plate(canonical: "B AC ?763")
        var beside = plate(.nepalEmbossed, 1)
        beside.look = .init(score: 0.1, isPlate: false)
        var unknown = plate(.nepalEmbossed, 1)
        unknown.format = "none"
        for reading in [partial, beside, unknown, plate(.generalLatin, 1)] {
            #expect(!SightingJudge(country: "np").isSure(reading, settings))
        }
        #expect(SightingJudge(country: nil).isSure(unknown, settings))
        #expect(SightingJudge(country: nil).isSure(plate(.generalLatin, 1), settings))
    }

    @Test func `calls writing what looks like no plate and is hardly read`() {
        for (confidence, place, isWriting) in [
            (0.099, 0.5, true), (0.1, 0.5, false), (0.099, 0.9, false), (0.1, 0.9, false),
            // Where the network sees hardly anything, more is asked for: a burnt-in clock is read like that.
            (0.399, 0.29, true), (0.4, 0.29, false), (0.399, 0.3, false), (0.1, 0.3, false),
        ] {
            var text = plate(.nepalEmbossed, confidence)
            text.look = .init(score: place, isPlate: place >= 0.6)
            #expect(SightingJudge(country: "np").isWriting(text) == isWriting, "\(confidence) \(place)")
        }
        var unknown = plate(.nepalEmbossed, 0.05)
        unknown.look = nil
        #expect(!SightingJudge(country: "np").isWriting(unknown), "a box without the network shows what it reads")
    }
}
