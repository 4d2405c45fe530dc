import Enforcement
import Foundation
import Plates
import TestKit
import Testing

@testable import Recognition

@Suite("A plate that is read whole", .timeLimit(.minutes(5)))
struct WholePlateTests {
    private static let symbols = ["१", "२", "च", "बा", "A", "B"].map(PlateSymbol.init)

    /// Places of a sequence: what is seen at each, and nothing where that is nil.
    private static func places(_ seen: [(String, Float)?]) -> [[Float]] {
        seen.map { place in
            var values = [Float](repeating: 0, count: symbols.count + 1)
            values[0] = 1 - (place?.1 ?? 0)
            if let place, let index = symbols.firstIndex(where: { $0.text == place.0 }) { values[index + 1] = place.1 }
            return values
        }
    }

    private static func seen(_ places: [(String, Float)?]) -> [String] {
        SymbolGlimpse.glimpses(Self.places(places), symbols).map { $0.chances.map(\.symbol.text).joined() }
    }

    @Test func `shows a symbol once where neighbouring places show it, and twice where something lies between them`() {
        #expect(Self.seen([nil, ("बा", 0.9), ("बा", 0.8), nil, ("१", 0.9), nil]) == ["बा", "१"])
        #expect(Self.seen([("१", 0.9), nil, ("१", 0.9)]) == ["१", "१"])
        #expect(Self.seen([("१", 0.9), ("१", 0.2), ("१", 0.8)]) == ["१", "१"])
        #expect(Self.seen([("१", 0.9), ("१", 0.6), ("१", 0.8)]) == ["१"])
        #expect(Self.seen([("१", 0.9), ("२", 0.9)]) == ["१", "२"])
        #expect(Self.seen([("१", 0.05), nil]) == [])
        #expect(Self.seen([]) == [])
    }

    @Test func `tells how likely a symbol is there, and which it may be, where it is seen best`() throws {
        var places = Self.places([("१", 0.6), ("१", 0.7)])
        places[1][2] = 0.2
        places[1][0] = 0.1
        let glimpse = try #require(SymbolGlimpse.glimpses(places, Self.symbols).first)
        #expect(abs(glimpse.presence - 0.9) < 1e-6)
        #expect(glimpse.chances.map(\.symbol.text) == ["१", "२"])
    }

    @Test func `takes what is hardly there both ways`() {
        let ways = WholePlateReading.ways([0.99, 0.7, 0.98])
        #expect(ways.map(\.kept) == [[0, 1, 2], [0, 2]])
        #expect(abs(ways[0].chance - 0.7) < 1e-9 && abs(ways[1].chance - 0.3) < 1e-9)
        let many = WholePlateReading.ways([Double](repeating: 0.5, count: 40))
        #expect(many.count <= 12 && many.allSatisfy { $0.chance > 0 })
        #expect(WholePlateReading.ways([]).map(\.kept) == [[]])
    }

    private static func glimpse(_ text: String, _ chance: Double = 0.99) -> SymbolGlimpse {
        SymbolGlimpse(chances: [(PlateSymbol(text), chance)])
    }

    @Test func `leaves out what is hardly there where the rest makes a plate`() throws {
        let matcher = FormatMatcher(country: "np")
        let seen = ["बा", "१", "च", "१", "२", "३", "४"].map { Self.glimpse($0) }
        let plain = try #require(WholePlateReading.readings(seen, matcher, colour: nil).first)
        #expect(plain.results.first?.plate.canonical == "BA 1 CHA 1234" && plain.script == .devanagari)
        let doubtful = seen.prefix(2) + [Self.glimpse("प", 0.3)] + seen.dropFirst(2)
        let found = try #require(WholePlateReading.readings(Array(doubtful), matcher, colour: nil).first)
        #expect(found.results.first?.plate.canonical == "BA 1 CHA 1234")
        #expect(found.chance < plain.chance)
    }

    @Test func `reads a heading with the province's name, and the script in which most was seen`() throws {
        let matcher = FormatMatcher(country: "np")
        let heading = ["बागमती", "प्रदेश", "०", "२", "०", "३", "७", "ख", "१", "६", "४", "३"].map { Self.glimpse($0) }
        let province = try #require(WholePlateReading.readings(heading, matcher, colour: nil).first)
        #expect(province.results.first?.plate.canonical == "P3 02 037 KHA 1643")
        let mixed = ["B", "A", "C", "5", "7", "6", "3"].map { Self.glimpse($0) } + [Self.glimpse("१", 0.4)]
        let latin = try #require(WholePlateReading.readings(mixed, matcher, colour: nil).first)
        #expect(latin.script == .latin && latin.results.first?.plate.canonical == "B AC 5763")
    }

    @Test func `takes a word without a number for a name, where it is no country's plate`() throws {
        let word = ["A", "B", "A", "B", "A"].map { Self.glimpse($0) }
        let found = try #require(WholePlateReading.readings(word, FormatMatcher(country: nil), colour: nil).first)
        let place = Box(x: 0, y: 0, width: 90, height: 30)
        #expect(found.reading(at: place, on: nil, country: nil, Places.parameters.whole.evidence) == nil)
    }

    @Test func `makes nothing of too little`() {
        let matcher = FormatMatcher(country: "np")
        #expect(WholePlateReading.readings([], matcher, colour: nil).isEmpty)
        #expect(WholePlateReading.readings([Self.glimpse("१"), Self.glimpse("२")], matcher, colour: nil).isEmpty)
    }

    @Test func `says what is wrong with a file that it can't use`() throws {
        let path = Places.models + "/" + WholePlateReader.fileName
        let good = try #require(FileManager.default.contents(atPath: path))
        _ = try WholePlateReader(good)
        #expect(throws: NetworkError.notANetwork) { try WholePlateReader(Data("a photo".utf8)) }
        #expect(throws: NetworkError.damaged("it ends too early")) { try WholePlateReader(good.dropLast()) }
        #expect(throws: NetworkError.damaged("it is longer than its symbols")) {
            try WholePlateReader(good + Data([0]))
        }
    }

    @Test func `a missing or broken network of whole plates leaves the rows, and says so`() throws {
        let models = try ModelsCopy()
        let weights = models[WholePlateReader.fileName]
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let data = try Data(contentsOf: weights)
        try data.prefix(data.count / 2).write(to: weights)
        let broken = try PlateRecognizer(models: models.path)
        #expect(broken.problems.count == 1 && broken.problems[0].contains("ends too early"), "\(broken.problems)")
        #expect(try broken.recognize(picture).readings.first?.plate.compact == "KLT4829")
        try FileManager.default.removeItem(at: weights)
        let missing = try PlateRecognizer(models: models.path)
        #expect(missing.problems.count == 1 && missing.problems[0].contains(WholePlateReader.fileName))
        #expect(try missing.recognize(picture).readings.first?.plate.compact == "KLT4829")
    }
}

@Suite("What rows and the whole plate read together", .timeLimit(.minutes(5)))
struct JoinedReadingTests {
    private static let parameters = ReaderParameters.Whole(
        evidence: .init(intercept: 0, weakest: 0, chance: 0, lead: 0, fittingFormat: 0), alone: 0.55, leastAlone: 0.3,
        surePlace: 0.9,
        oddsOfSame: 4,
        oddsOfOther: 0.5, oddsOfOwnRows: 8)

    private static func reading(_ plate: String, _ confidence: Double, _ others: [String] = []) -> PlateReading {
        let plates = ([plate] + others).map { Plate(canonical: $0) }
        return PlateReading(
            plate: plates[0], raw: plate, confidence: confidence, box: Box(x: 0, y: 0, width: 90, height: 30),
            format: "latin", candidates: plates.map { .init(plate: $0, confidence: confidence) }, characters: [])
    }

    @Test func `is surer where both say the same, whatever fonts draw alike`() {
        let joined = Self.reading("BA 1 CHA 1234", 0.6).joined(
            with: Self.reading("BA 1 CHA 1234", 0.5), Self.parameters)
        #expect(joined.plate.canonical == "BA 1 CHA 1234" && abs(joined.confidence - 0.8305) < 1e-3)
        let alike = Self.reading("AB0 123", 0.5).joined(with: Self.reading("ABO 123", 0.8), Self.parameters)
        #expect(alike.plate.canonical == "AB0 123" && alike.confidence > 0.85)
        let sure = Self.reading("AB 1234", 0.99).joined(with: Self.reading("AB 1234", 0.06), Self.parameters)
        #expect(sure.confidence == 0.99)
    }

    @Test func `is the likelier one, less sure, where they differ, and names the other`() throws {
        let joined = Self.reading("AB 1234", 0.4, ["AB 1284"]).joined(
            with: Self.reading("AB 1284", 0.8, ["AB 7284"]), Self.parameters)
        #expect(joined.plate.canonical == "AB 1284" && joined.confidence == 0.55)
        #expect(joined.candidates.map(\.plate.canonical) == ["AB 1284", "AB 7284", "AB 1234"])
        #expect(joined.candidates.allSatisfy { $0.confidence <= joined.confidence })
        let rows = Self.reading("AB 1234", 0.8).joined(with: Self.reading("XY 99", 0.1), Self.parameters)
        #expect(rows.plate.canonical == "AB 1234" && rows.candidates.count == 2)
    }

    @Test func `weighs the rows of a painted plate more than they say`() {
        var rows = Self.reading("BA 1 CHA 1234", 0.4)
        rows.format = "np-zonal"
        let joined = rows.joined(with: Self.reading("BA 1 CHA 1284", 0.6), Self.parameters)
        #expect(joined.plate.canonical == "BA 1 CHA 1234" && joined.confidence < 0.4)
        #expect(
            rows.joined(with: Self.reading("BA 1 CHA 1284", 0.95), Self.parameters).plate.canonical == "BA 1 CHA 1284")
    }

    @Test func `names no plate twice, and never too many`() {
        let many = (10..<30).map { "AB \($0)" }
        let joined = Self.reading("AB 10", 0.5, many).joined(with: Self.reading("AB 11", 0.4, many), Self.parameters)
        #expect(joined.candidates.count == PlateReading.maximumCandidates)
        #expect(joined.candidates.first?.plate == joined.plate)
    }
}
