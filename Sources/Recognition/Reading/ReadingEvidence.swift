import Enforcement
import Plates
import Foundation

/// What speaks for a reading, and how likely that makes it right.
///
/// The weights are a logistic regression over 1,495 readings of 432 real and drawn pictures, 353 of them right. Cross-validated
/// (five parts, split by plate): of 129 real photos whose top reading was said with 0.9 and more, 96 % were right (95 % interval
/// 91 to 98); of 199 with 0.8 and more, 94 % (90 to 97). New models want new weights.
struct ReadingEvidence {
    /// How far the best plate is ahead of the other ones that were thought of, as log odds.
    let lead: Double

    /// How likely the characters are, as they stand in the format: the logarithm of the geometric mean.
    let support: Double

    /// How likely the least likely character is.
    let weakest: Double

    /// How much the row looks like a plate's, 0…1.
    let shape: Double

    /// How many more glyphs there were than characters, or fewer; 4 at most.
    let disagreement: Double

    /// Whether there are as many characters as most plates have, or as the format wants.
    let hasUsualLength: Bool

    /// Whether a tight format fits whose plates are to be expected here.
    let fitsFormat: Bool

    /// The share of different characters: texture reads as the same few again and again.
    let variety: Double

    /// How likely it is that every character is one at all, whichever it is.
    let presence: Double

    /// How high the glyphs are, 0…1: up to 12 px, from 60 px on. Larger ones are read better and are nearer.
    let size: Double

    /// Whether it was read in Devanagari, by a model of its own.
    let isDevanagari: Bool

    /// - Precondition: there is a result.
    init(
        _ results: [FormatMatcher.Result], characters: [CharacterAlternatives], glyphs: Int, shape: Double,
        glyphHeight: Double, country: String?
    ) {
        let best = results[0]
        size = rising(log(max(1, glyphHeight)), from: log(12), to: log(60))
        isDevanagari = best.format.script == .devanagari
        let fits = best.format.isTight && best.format.isUsual(in: country)
        let compact = best.plate.compact
        let weights = results.map { pow($0.score, Double(characters.count)) }
        // Plates that fonts draw alike are one.
        let folded = LookAlike.folded(compact)
        let same = zip(results, weights).filter { LookAlike.folded($0.0.plate.compact) == folded }
        let share = same.reduce(0) { $0 + $1.1 } / max(1e-12, weights.reduce(0, +))
        lead = log(max(0.02, share) / max(0.02, 1 - share))
        support = log(max(0.05, best.support))
        weakest = characters.map(\.likeliest).min() ?? 0
        self.shape = shape
        disagreement = Double(min(4, abs(glyphs - characters.count)))
        hasUsualLength = (6...8).contains(characters.count) || fits
        fitsFormat = fits
        variety = Double(Set(compact).count) / Double(max(1, compact.count))
        presence = geometricMean(characters.reduce(1) { $0 * $1.presence }, count: characters.count)
    }

    /// The probability that the reading is right, 0…1.
    var confidence: Double {
        var sum = -37.035 + 0.031 * lead + 4.008 * support + 0.98 * weakest + 3.04 * shape + 0.068 * disagreement
        sum += (hasUsualLength ? 1.361 : 0) + (fitsFormat ? 3.123 : 0) + 2.407 * variety + 28.508 * presence
        sum += 1.891 * size
        if isDevanagari { sum += -2.097 - 0.711 * disagreement - 1.993 * presence + 4.081 * weakest }
        return 1 / (1 + exp(-sum))
    }
}
