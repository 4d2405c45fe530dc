import Enforcement
import Foundation
import Plates

/// What a network's glimpses are as a plate.
struct WholePlateReading {
    var results: [FormatMatcher.Result]
    var characters: [CharacterAlternatives]

    /// What was seen, with the words of a heading.
    var raw: String
    var script: PlateFormat.Script

    /// How likely it is that the characters are those that are there, whichever they are, 0…1.
    var chance: Double

    /// A glimpse that is surer than this is a character, …
    private static let sure = 0.95

    /// … and of the others as many, the least clear ones, are tried both ways.
    private static let mostDoubtful = 6

    /// So many ways to take the doubtful ones, the likeliest, are matched.
    private static let mostWays = 12

    /// No plate is shorter.
    private static let leastCharacters = 3

    /// The ways in which the glimpses make a plate, the likeliest first.
    static func readings(_ glimpses: [SymbolGlimpse], _ matcher: FormatMatcher, colour: PlateColour?) -> [Self] {
        let script = script(of: glimpses)
        let own = glimpses.map { glimpse in glimpse.chances.filter { $0.symbol.script == script } }
        let presences = own.map { min(1, $0.reduce(0) { $0 + $1.chance }) }
        let alternatives = own.map { chances in
            CharacterAlternatives(
                scaled: Dictionary(chances.map { ($0.symbol.text, $0.chance) }, uniquingKeysWith: { $0 + $1 }))
        }
        var found: [Self] = []
        for way in ways(presences) where way.kept.count >= Self.leastCharacters {
            let seen = way.kept.map { alternatives[$0] }
            let characters = matcher.withoutHeadings(seen, script: script)
            let results = matcher.match(characters, script: script, colour: colour)
            if !results.isEmpty {
                found.append(
                    Self(
                        results: results, characters: characters, raw: seen.map(\.best).joined(), script: script,
                        chance: way.chance))
            }
        }
        return found.sorted { $0.worth > $1.worth }
    }

    /// The plate as a reading.
    ///
    /// - Parameter place: in pixels of the stored picture.
    func reading(
        at place: Box, on colour: PlateColour?, country: String?, _ weights: ReaderParameters.Whole.Evidence
    ) -> PlateReading? {
        guard let best = results.first, best.format.country != nil || best.plate.compact.contains(where: \.isNumber)
        else {
            // A word without a number that fits no country's plates is a name on a vehicle.
            return nil
        }
        let confidence = confidence(country, weights)
        return PlateReading(
            plate: best.plate, raw: raw, confidence: confidence, box: place,
            format: best.format.name,
            candidates: results.map { .init(plate: $0.plate, confidence: confidence * $0.score / best.score) },
            characters: characters, colour: colour)
    }

    /// A share and a chance are never less than this in what speaks for a plate.
    private static let leastShare = 0.001

    /// How likely the best plate is right, 0…1.
    private func confidence(_ country: String?, _ weights: ReaderParameters.Whole.Evidence) -> Double {
        guard let best = results.first else { return 0 }
        let share = results.shareOfBest(characters: characters.count)
        func logarithm(_ value: Double) -> Double { log(max(Self.leastShare, value)) }
        let fits = best.format.isTight && best.format.isUsual(in: country)
        let sum =
            weights.intercept + weights.weakest * logarithm(best.weakest)
            + weights.chance * logarithm(chance) + weights.lead * logarithm(share)
            + (fits ? weights.fittingFormat : 0)
        return 1 / (1 + exp(-sum))
    }

    private var worth: Double { chance * (results.first.map { pow($0.score, Double(characters.count)) } ?? 0) }

    /// The script in which most was seen.
    private static func script(of glimpses: [SymbolGlimpse]) -> PlateFormat.Script {
        let sums = glimpses.flatMap(\.chances).reduce(into: [PlateFormat.Script: Double]()) { sums, chance in
            sums[chance.symbol.script, default: 0] += chance.chance
        }
        return sums[.devanagari, default: 0] >= sums[.latin, default: 0] ? .devanagari : .latin
    }

    /// Which of the glimpses may be the characters, each with how likely that is; the likeliest first.
    static func ways(_ presences: [Double]) -> [(kept: [Int], chance: Double)] {
        let doubtful = presences.indices.filter { presences[$0] < sure }
            .sorted { abs(presences[$0] - 0.5) < abs(presences[$1] - 0.5) }.prefix(mostDoubtful)
        var ways: [(kept: Set<Int>, chance: Double)] = [
            (Set(presences.indices.filter { !doubtful.contains($0) && presences[$0] >= 0.5 }), 1)
        ]
        for index in doubtful {
            ways = ways.flatMap { way in
                [
                    (way.kept.union([index]), way.chance * presences[index]),
                    (way.kept, way.chance * (1 - presences[index])),
                ]
            }
        }
        return ways.sorted { $0.chance > $1.chance }.prefix(mostWays).map {
            (kept: $0.kept.sorted(), chance: $0.chance)
        }
    }
}
