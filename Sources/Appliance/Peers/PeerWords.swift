import Crypto
import Enforcement
import Foundation
import Storage

/// What one post asks another.
struct PeerAsk: Codable, Equatable {
    var news: PeerQuestion?
    var picture: PictureQuestion?
    var relay: RelayQuestion?
}

/// A part of the picture of one of the other's passages.
struct PictureQuestion: Codable, Equatable {
    var passage: UUID

    /// The bytes before are known.
    var from: Int

    /// The picture is made so small.
    var mostBytes: Int
}

struct PictureReply: Codable, Equatable {
    /// Of the whole picture; 0 where there is none.
    var size: Int
    var part: Data
}

/// A piece of what one post sends to the park's server through another: as the bytes of a connection, which stay a secret between the box
/// and the server.
struct RelayQuestion: Codable, Equatable {
    /// Of the asker's connections; it makes the name up.
    var connection: String

    /// Whether the connection begins with this piece.
    var isFirst = false
    var bytes = Data()

    /// The answer may wait so long for something to come.
    var waitMilliseconds = 0
    var isOver = false
}

struct RelayReply: Codable, Equatable {
    var bytes = Data()
    var isOver = false

    /// Why there is no way there.
    var trouble: String?

    static func none(_ trouble: String) -> RelayReply { RelayReply(isOver: true, trouble: trouble) }
}

/// What is asked for what is new.
struct PeerQuestion: Codable, Equatable {
    /// The news behind this number.
    var after: Int64

    /// What was done about violations behind this number; nil for an asker who takes none.
    var outcomesAfter: Int64?

    /// What it knows of the other's reviews, by its digest; nil when it knows none.
    var reviews: String?

    /// The answer may wait so long for something to tell.
    var waitSeconds: Int

    /// Where it listens itself.
    var port: Int
}

/// What it is told: a part of the news, and with the last part what waits for review.
struct PeerReply: Encodable {
    var upTo: Int64
    var hasMore: Bool

    /// From when on all of this post is told: nobody knows of who passed here before.
    var since: Int64
    var passages: [PeerRow]
    var reviews: PeerReviews?
    var outcomes: [PeerOutcome]?

    /// All that was done up to this number is told.
    var outcomesUpTo: Int64?
    var terms: PeerTerms?
}

/// What was done about the violation of two passages.
struct PeerOutcome: Codable, Equatable {
    var entry: UUID
    var exit: UUID
    var kind: String
    var fine: Double?
    var notes: String?
    var by: String
    var at: Int64

    /// What it takes the place of, where that is the asker's.
    var replacesBy: String?
    var replacesAt: Int64?

    init(_ told: ToldOutcome) {
        (entry, exit, kind) = (told.entry, told.exit, told.outcome.kind.rawValue)
        fine = told.outcome.fineAmount
        notes = told.outcome.notes.map { ToldOutcome.bounded($0, ToldOutcome.mostNotes) }
        by = ToldOutcome.bounded(told.outcome.recordedBy, ToldOutcome.mostName)
        at = told.outcome.recordedAt.milliseconds
        (replacesBy, replacesAt) = (told.replaces?.by, told.replaces?.at.milliseconds)
    }

    /// Nil for one that makes no sense. A time that can't be is now: whoever acted has no better clock.
    func told(at now: Instant) -> ToldOutcome? {
        guard let kind = Outcome.Kind(rawValue: kind), !by.isEmpty,
            fine.map({ kind == .fined && $0 > 0 && $0 <= Self.mostFine }) ?? (kind != .fined)
        else { return nil }
        let possible = (now - PeerNews.reach).milliseconds...(now + .minutes(5)).milliseconds
        let replaces = replacesAt.flatMap { at in
            replacesBy.flatMap { by in
                by.utf8.count > ToldOutcome.mostName ? nil : .init(by: by, at: Instant(milliseconds: at))
            } as ToldOutcome.Replaced?
        }
        return ToldOutcome(
            entry: entry, exit: exit,
            outcome: Outcome(
                kind: kind, fineAmount: fine, notes: notes.map { ToldOutcome.bounded($0, ToldOutcome.mostNotes) },
                recordedBy: ToldOutcome.bounded(by, ToldOutcome.mostName),
                recordedAt: possible.contains(at) ? Instant(milliseconds: at) : now),
            replaces: replaces)
    }

    private static let mostFine = 100_000_000.0
}

/// What the two posts have to have alike so that both judge right. It goes with each answer.
struct PeerTerms: Codable, Equatable {
    /// What the clock showed when the answer was written, in milliseconds since 1970; nil where it can't be believed.
    var now: Int64?

    /// So long the question lay here, in milliseconds.
    var waited: Int64
    var road: RoadTerms

    /// How the clocks stand to each other; nil where the other post doesn't believe its own: its passages say so themselves.
    ///
    /// - Parameters:
    ///   - own: what this post's clock shows now.
    ///   - took: from question to answer.
    func clocks(at own: Instant, took: TimeSpan) -> ClockComparison? {
        // Anything may come from outside: no sum of it goes over the edge.
        guard let now, Self.sensible.contains(now) else { return nil }
        return ClockComparison(
            other: Instant(milliseconds: now), now: own, took: took, waited: .milliseconds(waited))
    }

    /// From 1970 to 2100.
    private static let sensible: ClosedRange<Int64> = 0...4_102_444_800_000
}

/// A passage as the other post needs it: the keys of an export's row, and no more of them.
struct PeerRow: Encodable {
    private let passage: ListedPassage

    init(_ stored: StoredPassage) { passage = ListedPassage(stored) }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: ListedPassage.CodingKeys.self)
        try row.encode(passage.clientID, forKey: .clientID)
        try row.encode(passage.plate, forKey: .plate)
        if passage.text != passage.plate { try row.encode(passage.text, forKey: .text) }
        try row.encode(passage.vehicleType, forKey: .vehicleType)
        try row.encode(passage.checkpost, forKey: .checkpost)
        try row.encode(passage.recordedAt, forKey: .recordedAt)
        try row.encode(passage.clockState, forKey: .clockState)
        try row.encodeIfPresent(passage.travel, forKey: .travel)
        try row.encodeIfPresent(passage.smsClientID, forKey: .smsClientID)
        if passage.isWithdrawn { try row.encode(true, forKey: .isWithdrawn) }
    }
}

/// What waits for review; the list itself only where it is another than the one that is known.
struct PeerReviews: Codable {
    var digest: String
    var told: PostReviewsRow
    var isWhole: Bool

    /// - Parameter known: the digest of the list that the other has.
    init(_ reviews: OtherPost.Reviews, known: String?) {
        let whole = PostReviewsRow(reviews)
        digest = Self.digest(of: reviews.waiting)
        isWhole = digest != known
        told =
            isWhole ? whole : PostReviewsRow(.init(asOf: reviews.asOf, waiting: [], completeUpTo: reviews.completeUpTo))
    }

    static func digest(of waiting: [WaitingSighting]) -> String {
        var hash = SHA256()
        for sighting in waiting {
            hash.update(data: Data("\(sighting.seenAt.milliseconds) \(sighting.plate.canonical)\n".utf8))
        }
        return hash.finalize().prefix(8).map { String(format: "%02x", $0) }.joined()
    }
}

/// One part of an answer that makes no sense costs nothing to the others.
struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// What another post told, as far as it makes sense.
struct PeerNews: Decodable {
    /// Further rows of one answer are passed over.
    static let mostRows = 50

    /// What is older than this is told nobody, and taken of nobody.
    static let reach = TimeSpan.days(14)

    var upTo: Int64
    var hasMore: Bool
    var since: Int64
    var passages: [LossyPassage]
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
            let listed = try? row.row.get()
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
