import Foundation

/// Votes the readings of one vehicle into one, character by character.
///
/// The characters are voted by ``CharacterVote``; the formats choose a legal plate from its columns.
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
        let columns = CharacterVote.columns(
            readings.map { .init(characters: $0.votable, confidence: $0.confidence) })
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
        voted.look = look
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

    /// What most of the readings' places look like, by their weights. The network takes a clock for a plate now and then, a plate nearly
    /// always.
    private var look: PlateReading.Look? {
        let looks = readings.compactMap { reading in reading.look.map { ($0, weight(reading)) } }
        let total = looks.reduce(0) { $0 + $1.1 }
        guard total > 0 else { return looks.first?.0 }
        let plates = looks.filter(\.0.isPlate).reduce(0) { $0 + $1.1 }
        return .init(score: looks.reduce(0) { $0 + $1.0.score * $1.1 } / total, isPlate: 2 * plates > total)
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
        CharacterVote.weight(confidence: reading.confidence)
    }
}
