import Foundation
import TestKit
import Testing

@testable import Plates

@Suite("Plates of every kind, read well and badly", .timeLimit(.minutes(10)))
struct PlateTranscriptTests {
    private func figure(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

    /// What a reader may have seen of an example: surely, in doubt, with another symbol before the right one, or not at all.
    private func read(_ symbols: [String], _ random: inout SeededGenerator) -> [CharacterAlternatives] {
        let sureness = random.one(of: [0.99, 0.9, 0.6, 0.35])
        return symbols.map { symbol in
            var alternatives = [
                CharacterAlternatives.Alternative(symbol: symbol, probability: sureness * (0.6 + 0.4 * random.share()))
            ]
            if random.hundredths(30) {
                let other = random.one(of: [
                    "0", "O", "1", "I", "8", "B", "5", "S", "४", "५", "प", "फ", "बा", "T", "Q", "D", "Z", "L",
                ])
                alternatives.append(
                    .init(symbol: other, probability: random.one(of: [0.0005, 0.0015, 0.01, 0.1, 0.3, 0.55])))
            }
            return CharacterAlternatives(alternatives)
        }
    }

    private static let plates: [(String, PlateFormat.Script)] = [
        ("बा १ च १ २ ३ ४", .devanagari), ("भे १ २ पा ७", .devanagari), ("सा ३ फ ७ ७ ८", .devanagari),
        ("३ ० २ ० १ ३ प ७ १ ७ ३", .devanagari), ("बागमती प्रदेश ० २ ० ३ ७ ख १ ६ ४ ३", .devanagari),
        ("प्रदेश ५ ० २ ० ० ४ च ३ ८ १ ९", .devanagari),
        ("B A C 5 7 6 3", .latin), ("K X Y 7", .latin), ("U P 3 2 A B 1 2 3 4", .latin),
        ("D L 3 C A M 0 8 5 7", .latin),
        ("R K 0 1 9 A F", .latin), ("B P 1 A 3 6 4 9", .latin), ("R B P 4 0 9 6", .latin),
        ("B A 1 H A 4 0 8 5", .latin),
        ("H W Y 4 8 2 1", .latin), ("G L A C I E R", .latin), ("W O R D S 7", .latin), ("7 X 1 Y 2 W", .latin),
        ("A B 1 2", .latin),
        ("M H X Y Z 1 2", .latin), ("1 2 3 4 A B C", .latin), ("A B C D 5", .latin), ("K A 0 1 H A 4 0 8 5", .latin),
        ("Q Q 9", .latin),
    ]

    @Test func `are found as the transcript says`() throws {
        var random = SeededGenerator(seed: 31)
        var lines: [String] = []
        for round in 0..<240 {
            let (text, script) = Self.plates[round % Self.plates.count]
            let country = random.one(of: [nil, "np", "np", "in", "bt", "de"])
            let colour = random.one(of: [nil, nil, PlateColour.red, .black, .white, .yellow, .blue])
            let matcher = FormatMatcher(country: country)
            let characters = matcher.withoutHeadings(
                read(text.split(separator: " ").map(String.init), &random), script: script)
            let results = matcher.match(characters, script: script, colour: colour)
            let shown = results.prefix(4).map { result in
                "\(result.plate) \(result.format) \(figure(result.support)) \(figure(result.weakest)) \(figure(result.score))"
            }
            let gaps = results.first.map { $0.format.withGaps($0.plate, read: characters)?.canonical ?? "whole" } ?? "-"
            let misfits =
                round % 4 == 0 ? matcher.misfits(characters, script: script).map { "\($0.format): \($0.reason)" } : []
            let best = characters.map { "\($0.best) \(figure($0.presence))" }.joined(separator: " ")
            lines.append("\(best) \(country ?? "-") \(colour?.rawValue ?? "-"): \(shown) gaps \(gaps) \(misfits)")
        }
        #expect(try TranscriptFile.difference(of: lines, from: "plates-read") == nil)
    }

    @Test func `are voted and aligned as the transcript says`() throws {
        var random = SeededGenerator(seed: 32)
        var lines: [String] = []
        for _ in 0..<120 {
            let (text, _) = random.one(of: Self.plates)
            let symbols = text.split(separator: " ").map(String.init)
            let ballots = (0..<(1 + random.below(5))).map { _ -> CharacterVote.Ballot in
                var seen = read(symbols, &random)
                if random.hundredths(40) { seen.remove(at: random.below(seen.count)) }
                if random.hundredths(20) { seen.insert(seen[0], at: random.below(seen.count)) }
                return CharacterVote.Ballot(characters: seen, confidence: random.one(of: [0.2, 0.5, 0.9, 0.97]))
            }
            let columns = CharacterVote.columns(ballots).map { column in
                column.alternatives.prefix(3).map { "\($0.symbol) \(figure($0.probability))" }.joined(separator: "/")
            }
            let places = ballots.map { ballot in
                CharacterAlignment.columns(of: ballot.characters, along: ballots[0].characters).map {
                    $0.map(String.init) ?? "-"
                }.joined()
            }
            lines.append("\(columns.joined(separator: " ")) | \(places.joined(separator: " "))")
        }
        #expect(try TranscriptFile.difference(of: lines, from: "plates-voted") == nil)
    }

    @Test func `are written as the transcript says, whatever is typed`() throws {
        var random = SeededGenerator(seed: 33)
        var lines: [String] = []
        let pieces = [
            "बा", "भे", "सा", "१", "१२", "१२३४", "च", "प", "पा", "प्रदेश", "बागमती", "नं.", "प्र.", "BA", "ba", "PA", "1", "12",
            "1234", "UP", "P3",
            "02", "013", "-", " ", "–", ".", "/", "Ü", "ज्ञ", "ा", "ＢＡ", "!", "G", "AD", "2957", "K", "HA", "लु", "०", "_",
            "é", "q", "Z", "ॐ",
        ]
        var texts = [
            String(repeating: "A", count: 16), String(repeating: "A", count: 17), "A", "AB", "A-B", "Ü1",
            String(repeating: " ", count: 199) + "AB",
            String(repeating: " ", count: 198) + "AB", "1", "!!", "प्रदेश", "प्रदेश ३", "बा", "G AD 2957", "GAD 2957",
            "GAD2957",
        ]
        texts += (0..<260).map { _ in
            (0..<(1 + random.below(7))).map { _ in random.one(of: pieces) }.joined(
                separator: random.one(of: ["", " "]))
        }
        var last = Plate(canonical: "BA 1 PA 1234")
        for text in texts {
            let normal = PlateNormalizer.normalize(text)
            let typed: String
            do throws(TypedPlateError) { typed = try PlateNormalizer.plate(typed: text).canonical } catch {
                typed = "\(error)"
            }
            let told = Plate(told: text)
            var line =
                "\(text.count > 40 ? "\(text.count) characters" : text): \(normal?.canonical ?? "-") | \(typed) | \(told?.canonical ?? "-")"
            if let plate = normal {
                let fitting = PlateFormat.all.filter { $0.canonical(compactLatin: plate.compact) != nil }
                line +=
                    " | \(fitting) \(VehicleType.guess(of: plate).rawValue) \(PlateSpelling.shown(plate, raw: text) ?? "-") "
                line += "\(PlateSpelling.painted(plate, raw: text) ?? "-") \(LookAlike.mayBeSame(plate, last)) "
                line +=
                    "\(plate.spelled(like: last)) \(LookAlike.variants(of: plate).sorted().prefix(4)) \(LookAlike.variants(of: plate).count)"
                last = plate
            }
            lines.append(line)
        }
        #expect(try TranscriptFile.difference(of: lines, from: "plates-written") == nil)
    }

    @Test(arguments: [
        ("BA1PA1234", "BA?PA1234", true), ("BA1PA1234", "BA?1234", true), ("BA1PA1234", "BA?234", false),
        ("BA1PA1234", "?1PA1234", true),
        ("BA1PA1234", "??PA1234", true), ("BA1PA1234", "?????1234", false), ("BA1PA1234", "BA1PA123?", true),
        ("BA1PA12", "BA1PA12?", false),
        ("BA?PA1234", "BA1PA12?4", true), ("AB", "A?", true), ("A", "?", false), ("BA1CHA12", "BA1?12", true),
        ("BA1CHHA12", "BA1?12", false),
    ])
    func `may be the same around their gaps`(whole: String, partial: String, mayBe: Bool) {
        #expect(LookAlike.mayBeSame(Plate(canonical: whole), Plate(canonical: partial)) == mayBe)
        #expect(LookAlike.mayBeSame(Plate(canonical: partial), Plate(canonical: whole)) == mayBe)
    }

    @Test func `are too long to be compared around their gaps beyond twenty characters`() {
        let twenty = String(repeating: "A", count: 20)
        #expect(LookAlike.mayBeSame(Plate(canonical: twenty), Plate(canonical: twenty.dropLast() + "?")))
        #expect(!LookAlike.mayBeSame(Plate(canonical: twenty + "A"), Plate(canonical: twenty + "?")))
        #expect(
            Plate(told: String(repeating: "A", count: 32)) != nil
                && Plate(told: String(repeating: "A", count: 33)) == nil)
    }

    @Test func `have their chances multiplied by odds`() {
        func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }
        #expect(near(probability(0.9, timesOdds: 0.2), 0.18 / 0.28) && near(probability(0.5, timesOdds: 3), 0.75))
        #expect(
            near(probability(1, timesOdds: 0.2), 1) && probability(0, timesOdds: 5) == 0
                && probability(-1, timesOdds: 5) == 0)
        #expect(
            probability(1, timesOdds: 0) == 1 && probability(0.4, timesOdds: 0) == 0
                && near(probability(7, timesOdds: 1), 1))
        #expect(FormatMatcher.prior(weight: 1) == 1 && near(FormatMatcher.prior(weight: 0.5), 0.1))
        let plate = Plate(canonical: "BA 2 CHA 7318")
        let odds = PlateColour.allCases.map { PlateColour.odds(of: $0, with: plate, format: .nepalZonal) }
        #expect(odds == [1, 0.5, 0.5, 0.2, 0.2, 0.2])
        #expect(PlateColour.odds(of: nil, with: plate, format: .nepalZonal) == 1)
    }
}
