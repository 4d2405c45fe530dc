/// What the ranger did about a violation.
package struct Outcome: Sendable, Equatable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case warned
        case fined
        case letGo = "let_go"
        case notFound = "not_found"
        case other
    }

    package var kind: Kind
    package var fineAmount: Double?
    package var notes: String?
    package var recordedBy: String
    package var recordedAt: Instant

    package init(kind: Kind, fineAmount: Double? = nil, notes: String? = nil, recordedBy: String, recordedAt: Instant) {
        self.kind = kind
        self.fineAmount = fineAmount
        self.notes = notes
        self.recordedBy = recordedBy
        self.recordedAt = recordedAt
    }

    /// Whether it is the same deed of the same person, whenever it was said.
    package func saysTheSame(as other: Outcome) -> Bool {
        kind == other.kind && fineAmount == other.fineAmount && notes == other.notes && recordedBy == other.recordedBy
    }
}

extension Outcome.Kind {
    /// Whether the driver was troubled with it: then somebody has to put it right where the violation falls away.
    package var reachedDriver: Bool {
        switch self {
        case .warned, .fined, .other: true
        case .letGo, .notFound: false
        }
    }
}

extension Outcome.Kind {
    /// Why a sum as it was typed can't stand with an outcome.
    package enum FineMistake: Error, Sendable {
        /// A fine without a sum above 0 in rupees.
        case noSum
        /// A sum with another outcome than `fined`: what was typed is meant, and isn't dropped without a word.
        case elsewhere
    }

    /// The fine in rupees of an outcome of this kind, from what was typed.
    package func fine(typed text: String?) throws(FineMistake) -> Double? {
        guard self == .fined else {
            guard (text ?? "").isEmpty else { throw .elsewhere }
            return nil
        }
        // A fine of nothing is none.
        guard let sum = text.flatMap(RupeeAmount.parse), sum > 0 else { throw .noSum }
        return sum
    }
}

extension Outcome {
    /// Rupees as they are written everywhere: `500`, `500.25`.
    package static func sum(_ rupees: Double) -> String { FindingFigures.number(rupees, decimals: 2) }

    /// How long the outcome of a violation can be changed, counted from the first one: a fine that was paid must not become another
    /// one a week later.
    package static let changeableFor = TimeSpan.hours(24)

    /// When these outcomes of one violation, the newest first, can't be changed any more; nil when there are none.
    package static func changeableUntil(_ outcomes: [Outcome]) -> Instant? {
        outcomes.last.map { $0.recordedAt + changeableFor }
    }

    /// What a form knows of a violation's outcomes, the newest first: `0` for none. It changes with each that is recorded.
    package static func version(of outcomes: [Outcome]) -> String {
        outcomes.first.map { "\(outcomes.count).\($0.recordedAt.milliseconds)" } ?? "0"
    }
}
