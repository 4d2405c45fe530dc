import Enforcement
import Plates
import Foundation

/// What speaks for a reading, and how likely that makes it right. What each piece counts are the models' parameters; their bounds here
/// are part of what a piece is.
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

    /// The heights between which size counts, in pixels of the picture.
    private static let heights = (least: 12.0, most: 60.0)

    /// A share and its counterpart are never less than this: 49 to 1 is as sure as anything.
    private static let leastShare = 0.02

    /// Nor is the support: what is worse is bad enough.
    private static let leastSupport = 0.05

    /// More glyphs too few or too many say no more.
    private static let mostDisagreement = 4

    /// - Precondition: there is a result.
    init(
        _ results: [FormatMatcher.Result], characters: [CharacterAlternatives], glyphs: Int, shape: Double,
        glyphHeight: Double, country: String?
    ) {
        let best = results[0]
        size = rising(log(max(1, glyphHeight)), from: log(Self.heights.least), to: log(Self.heights.most))
        let fits = best.format.isTight && best.format.isUsual(in: country)
        let compact = best.plate.compact
        let share = results.shareOfBest(characters: characters.count)
        lead = log(max(Self.leastShare, share) / max(Self.leastShare, 1 - share))
        support = log(max(Self.leastSupport, best.support))
        weakest = characters.map(\.likeliest).min() ?? 0
        self.shape = shape
        disagreement = Double(min(Self.mostDisagreement, abs(glyphs - characters.count)))
        hasUsualLength = RowReading.usualLength.contains(characters.count) || fits
        fitsFormat = fits
        variety = Double(Set(compact).count) / Double(max(1, compact.count))
        presence = geometricMean(characters.reduce(1) { $0 * $1.presence }, count: characters.count)
    }

    /// The probability that the reading is right, 0…1.
    func confidence(_ weights: EvidenceWeights, _ shift: ScriptProfile.Shift) -> Double {
        var sum =
            weights.intercept + weights.lead * lead + weights.support * support + weights.weakest * weakest
            + weights.shape * shape + weights.disagreement * disagreement
        sum +=
            (hasUsualLength ? weights.usualLength : 0) + (fitsFormat ? weights.fittingFormat : 0)
            + weights.variety * variety + weights.presence * presence
        sum += weights.size * size
        sum +=
            shift.intercept + shift.disagreement * disagreement + shift.presence * presence + shift.weakest * weakest
        return 1 / (1 + exp(-sum))
    }
}

extension [FormatMatcher.Result] {
    /// How much of the chance of all is that of the best, 0…1. Plates that fonts draw alike are one.
    func shareOfBest(characters: Int) -> Double {
        guard let best = first else { return 0 }
        let weights = map { pow($0.score, Double(characters)) }
        let folded = LookAlike.folded(best.plate.compact)
        let same = zip(self, weights).filter { LookAlike.folded($0.0.plate.compact) == folded }
        // Above zero, so that it can be divided by.
        return same.reduce(0) { $0 + $1.1 } / Swift.max(1e-12, weights.reduce(0, +))
    }
}
