import Enforcement
import Foundation
import Storage

/// What another post told, as far as it makes sense.
struct PeerNews: Decodable {
    /// Further rows of one answer are passed over.
    static let mostRows = 50

    /// What is older than this is told nobody, and taken of nobody.
    static let reach = TimeSpan.days(14)

    var upTo: Int64
    var hasMore: Bool
    var since: Int64
    var passages: [Lossy<ListedPassage>]
    var reviews: PeerReviews?

    var outcomes: [Lossy<PeerOutcome>]?
    var outcomesUpTo: Int64?

    /// A post of an earlier version says nothing of it.
    var terms: Lossy<PeerTerms>?

    /// The words that can be taken, and how many can't be read.
    ///
    /// - Parameters:
    ///   - other: the code of the post at the other end.
    ///   - store: what is known here of each passage, or of its text, is not older either.
    func words(of other: String, in store: Store, at now: Instant) throws -> (words: [PostWord], unread: Int) {
        var words: [PostWord] = []
        var unread = max(0, passages.count - Self.mostRows)
        let oldest = now - Self.reach
        for row in passages.prefix(Self.mostRows) {
            let listed = row.value
            guard var word = try? listed?.word(of: other, at: now) else {
                // By a clock that nobody trusts it may be any time; it is told once more when that is known.
                if listed?.clockState != ClockState.untrusted.rawValue { unread += 1 }
                continue
            }
            word.isLive = true
            let ids = [word.passage.clientID, word.text].compactMap(\.self)
            let isOld = try ids.contains { id in
                try store.otherPost.passage(clientID: id).map { $0.recordedAt < oldest } ?? false
            }
            if word.passage.recordedAt >= oldest, !isOld { words.append(word) }
        }
        return (words, unread)
    }

    /// What the other post did, as far as it makes sense.
    func doings(at now: Instant) -> [ToldOutcome] {
        (outcomes ?? []).prefix(Self.mostRows).compactMap { $0.value?.told(at: now) }
    }

    /// The list of what waits comes only where it has changed.
    ///
    /// - Parameter known: the list that was told last.
    func reviews(
        knowing known: inout (digest: String, waiting: [WaitingSighting])?, at now: Instant
    ) -> OtherPost.Reviews? {
        guard let reviews, var told = reviews.told.reviews(at: now) else { return nil }
        if reviews.isWhole {
            known = (reviews.digest, told.waiting)
        } else if let known, known.digest == reviews.digest {
            told.waiting = known.waiting
        } else {
            known = nil
            return nil
        }
        return told
    }
}
