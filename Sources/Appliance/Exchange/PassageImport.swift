import Enforcement
import Foundation
import Storage

/// Takes in what a file of the other post tells, and matches.
package struct PassageImport {
    /// What came of a file.
    package struct Taken {
        package var added = 0

        /// Those that were known before.
        package var known = 0

        /// Those that the other post has withdrawn.
        package var takenBack = 0
        package var violations: [Violation] = []
        package var alerts: [OverstayAlert] = []

        /// The hash of each passage's photo, by the passage's id.
        package var photos: [UUID: String] = [:]

        /// The rows that can't be used, each with its number.
        package var problems: [String] = []
    }

    private let store: Store
    private let configuration: Configuration

    package init(store: Store, configuration: Configuration) {
        self.store = store
        self.configuration = configuration
    }

    /// - Parameter isComplete: the file has all passages of the other post up to its newest. It isn't taken at its word where a row
    ///   can't be used.
    package func take(
        _ rows: [Result<ListedPassage, any Error>], isComplete: Bool, at now: Instant
    ) throws -> Taken {
        var taken = Taken()
        var words: [PostWord] = []
        var reviews: OtherPost.Reviews?
        for (index, row) in rows.enumerated() {
            do {
                let row = try row.get()
                let word = try row.word(of: configuration.otherPostCode, at: now)
                taken.photos[word.passage.clientID] = row.photoSHA256
                reviews = row.postReviews?.reviews(at: now) ?? reviews
                words.append(word)
            } catch {
                taken.problems.append("row \(index + 1): \(error)")
            }
        }
        try take(words, reviews: reviews, isComplete: isComplete && taken.problems.isEmpty, into: &taken, at: now)
        return taken
    }

    /// Takes in what the other post says, and matches.
    ///
    /// - Parameters:
    ///   - isComplete: all that the other post had by its newest is here now.
    ///   - since: from when on all is told; nil for always.
    ///   - steps: of matching, at most; what is left is for the rounds.
    func take(
        _ words: [PostWord], reviews: OtherPost.Reviews?, isComplete: Bool, since: Instant? = nil,
        into taken: inout Taken, steps: Int = .max, at now: Instant
    ) throws {
        (taken.added, taken.takenBack) = try Self.keep(
            words, reviews: reviews, isComplete: isComplete, since: since, in: store, at: now)
        taken.known = words.count { !$0.isWithdrawn } - taken.added
        let matching = MatchingService(store: store, configuration: configuration)
        let findings = try matching.catchUp(at: now, steps: steps)
        taken.violations = findings.violations
        // Who is out, and not matched yet, has not overstayed.
        taken.alerts = try findings.alerts + (findings.hasMore ? [] : matching.overstayRound(steps: steps, at: now))
    }

    /// Keeps what the other post says, and up to when it is known by that.
    static func keep(
        _ words: [PostWord], reviews: OtherPost.Reviews?, isComplete: Bool, since: Instant? = nil, in store: Store,
        at now: Instant
    ) throws -> (added: Int, takenBack: Int) {
        let came = try store.otherPost.takeIn(words, at: now)
        if let reviews { try store.otherPost.learn(reviews: reviews, at: now) }
        // A time by a clock that nobody trusts says nothing of what was before it, unless a person says that it does.
        let moments = words.filter { !$0.isLive || $0.passage.clockState != .untrusted }.map(\.passage.recordedAt)
        if isComplete, let known = (moments + [reviews?.completeUpTo].compactMap(\.self)).max() {
            try store.otherPost.learn(knownUpTo: min(now, known), since: since, at: now)
        }
        return came
    }
}
