/// What each piece of evidence for a reading counts, as log odds: see `ReadingEvidence` for what the pieces are.
///
/// A logistic regression over 1,495 readings of 432 real and drawn pictures, 353 of them right. Cross-validated (five parts, split by
/// plate): of 129 real photos whose top reading was said with 0.9 and more, 96 % were right (95 % interval 91 to 98); of 199 with 0.8 and
/// more, 94 % (90 to 97). New models want new weights.
package struct EvidenceWeights: Codable, Sendable, Equatable {
    /// What speaks against a reading before anything is known of it.
    package var intercept: Double

    // Each per unit of its piece of evidence.
    package var lead: Double
    package var support: Double
    package var weakest: Double
    package var shape: Double
    package var disagreement: Double
    package var usualLength: Double
    package var fittingFormat: Double
    package var variety: Double
    package var presence: Double
    package var size: Double
}
