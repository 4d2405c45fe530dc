import Foundation

/// Votes the readings of one vehicle into one, character by character.
///
/// The readings of the commonest length set the columns; readings that are a character longer or shorter are aligned to
/// them. Each column then takes the symbol that the readings together find likeliest, and the formats choose a legal
/// plate from the columns.
package struct PlateVote: Sendable, Equatable, Codable {
    /// The readings that count, the surest ones.
    package private(set) var readings: [PlateReading] = []

    /// More readings than this add nothing: only a surer one takes the place of the least sure.
    package static let maximumReadings = 15

    package init() {}

    /// - Returns: whether the reading counts; the vote is as it was when it doesn't.
    @discardableResult
    package mutating func add(_ reading: PlateReading) -> Bool {
        guard readings.count >= Self.maximumReadings,
            let weakest = readings.indices.min(by: { readings[$0].confidence < readings[$1].confidence })
        else {
            readings.append(reading)
            return true
        }
        guard reading.confidence > readings[weakest].confidence else { return false }
        readings.remove(at: weakest)
        readings.append(reading)
        return true
    }

    /// The surest single reading.
    package var best: PlateReading? {
        readings.max { $0.confidence < $1.confidence }
    }

    /// The vote; nil before the first reading.
    ///
    /// One reading is its own vote. Its box is that of the surest reading.
    package func result(formats: FormatMatcher) -> PlateReading? {
        guard let best else { return nil }
        guard readings.count > 1 else { return best }
        let columns = columns()
        let script = script(best, formats)
        let colour = colour
        let results = formats.match(columns, script: script, colour: colour)
        guard let winner = results.first else { return best }
        var confidence = confidence(of: winner.plate)
        let odds = PlateColour.odds(of: colour, with: winner.plate, format: winner.format)
        // Frames that agree don't make up for a ground on which the plate can't stand: they misread it alike.
        if odds < 1 { confidence = min(confidence, probability(best.confidence, timesOdds: odds)) }
        var voted = best
        voted.plate = winner.plate
        voted.format = winner.format.name
        voted.characters = columns
        voted.confidence = confidence
        voted.colour = colour
        // The characters are without a province's name: a reading that says the same says it as it was painted.
        voted.raw =
            readings.filter { $0.plate == winner.plate }.max { $0.confidence < $1.confidence }?.raw
            ?? columns.map(\.best).joined()
        voted.candidates = results.map {
            PlateReading.Candidate(plate: $0.plate, confidence: confidence * $0.score / winner.score)
        }
        return voted
    }

    /// The ground that most of the readings saw, by their weights; nil when no colour has more than half.
    private var colour: PlateColour? {
        var weights: [PlateColour: Double] = [:]
        for reading in readings { if let colour = reading.colour { weights[colour, default: 0] += weight(reading) } }
        let total = weights.values.sorted().reduce(0, +)
        return weights.first { 2 * $0.value > total }?.key
    }

    private func script(_ reading: PlateReading, _ formats: FormatMatcher) -> PlateFormat.Script {
        formats.formats.first { $0.name == reading.format }?.script ?? .latin
    }

    /// How likely the voted plate is right.
    ///
    /// Readings that agree strengthen each other, but less than independent ones would: frames of one vehicle share their
    /// blur and their light. Four that agree at 0.7 give 1 - 0.3^√4 = 0.91.
    private func confidence(of plate: Plate) -> Double {
        let total = readings.reduce(0) { $0 + weight($1) }
        let agreeing = readings.filter { $0.plate == plate }
        guard !agreeing.isEmpty, total > 0 else {
            return 0.6 * readings.map(\.confidence).reduce(0, +) / Double(readings.count)
        }
        let agreed = agreeing.reduce(0) { $0 + weight($1) }
        guard agreed > 0 else { return 0 }
        let mean = agreeing.reduce(0) { $0 + $1.confidence * weight($1) } / agreed
        // More than five say nothing new: a sign that is read poorly all day must not become sure by repetition.
        let strength = 1 - pow(1 - min(mean, 0.999), Double(min(agreeing.count, 5)).squareRoot())
        return strength * (agreed / total).squareRoot()
    }

    private func weight(_ reading: PlateReading) -> Double {
        reading.confidence * reading.confidence
    }

    private func columns() -> [CharacterAlternatives] {
        let length = commonestLength()
        let template = readings.filter { $0.votable.count == length }
        guard let first = template.max(by: { $0.confidence < $1.confidence }) else { return [] }
        var sums = [[String: Double]](repeating: [:], count: length)
        var weights = [Double](repeating: 0, count: length)
        var counts = [Int](repeating: 0, count: length)
        var presences = [Double](repeating: 0, count: length)
        let aligned = readings.map { ($0.votable, weight($0), Alignment.columns(of: $0.votable, along: first.votable)) }
        for column in 0..<length {
            // Sorted, so that sums of fractions come out the same in every run.
            let symbols = Set(
                aligned.flatMap { characters, _, places in
                    places[column].map { characters[$0].alternatives.map(\.symbol) } ?? []
                }
            ).sorted()
            for (characters, weight, places) in aligned {
                guard let place = places[column] else { continue }
                weights[column] += weight
                counts[column] += 1
                presences[column] += weight * min(1, characters[place].alternatives.reduce(0) { $0 + $1.probability })
                for symbol in symbols {
                    let probability = max(Self.floor, characters[place].probability(of: symbol))
                    sums[column][symbol, default: 0] += weight * log(probability)
                }
            }
        }
        return sums.indices.map {
            normalised(sums[$0], weight: weights[$0], count: counts[$0], presence: presences[$0])
        }
    }

    /// The least probability that one reading can give a symbol: one frame alone rules nothing out.
    private static let floor = 0.01

    /// - Parameter presence: the weighted sum of how likely it was in each reading that a character is there at all: readings
    ///   that agree on a smudge don't make it legible.
    private func normalised(
        _ sums: [String: Double], weight: Double, count: Int, presence: Double
    ) -> CharacterAlternatives {
        guard weight > 0 else { return CharacterAlternatives([]) }
        let powers = sums.mapValues { exp($0 / weight * Double(count).squareRoot()) }
        let total = powers.values.sorted().reduce(0, +)
        return CharacterAlternatives(
            powers.map { .init(symbol: $0.key, probability: total > 0 ? presence / weight * $0.value / total : 0) }
                .filter { $0.probability > 0.001 })
    }

    private func commonestLength() -> Int {
        var weights: [Int: Double] = [:]
        for reading in readings { weights[reading.votable.count, default: 0] += weight(reading) }
        return weights.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }
}

/// Lays one reading's characters along another's.
enum Alignment {
    private static let gapCost = 0.7

    /// For every character of `template` the index of the character of `characters` that belongs to it, or nil.
    ///
    /// The least total cost, where a pair costs how little one holds of the other's best symbol (Needleman and Wunsch).
    static func columns(
        of characters: [CharacterAlternatives], along template: [CharacterAlternatives]
    ) -> [Int?] {
        let rows = template.count
        let width = characters.count
        var costs = [[Double]](repeating: [Double](repeating: 0, count: width + 1), count: rows + 1)
        for row in 0...rows { costs[row][0] = Double(row) * gapCost }
        for column in 0...width { costs[0][column] = Double(column) * gapCost }
        if rows == 0 || width == 0 { return [Int?](repeating: nil, count: rows) }
        for row in 1...rows {
            for column in 1...width {
                let pair = costs[row - 1][column - 1] + difference(template[row - 1], characters[column - 1])
                costs[row][column] = min(pair, costs[row - 1][column] + gapCost, costs[row][column - 1] + gapCost)
            }
        }
        var result = [Int?](repeating: nil, count: rows)
        var row = rows
        var column = width
        while row > 0, column > 0 {
            if costs[row][column]
                == costs[row - 1][column - 1] + difference(template[row - 1], characters[column - 1])
            {
                result[row - 1] = column - 1
                row -= 1
                column -= 1
            } else if costs[row][column] == costs[row - 1][column] + gapCost {
                row -= 1
            } else {
                column -= 1
            }
        }
        return result
    }

    private static func difference(_ one: CharacterAlternatives, _ other: CharacterAlternatives) -> Double {
        1 - max(one.probability(of: other.best), other.probability(of: one.best))
    }
}
