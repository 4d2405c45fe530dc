import Crypto
import Enforcement
import Foundation
import Storage

/// What one post asks another.
struct PeerAsk: Codable, Equatable {
    var news: PeerQuestion?
    var picture: PictureQuestion?
    var relay: RelayQuestion?
    var text: TextQuestion?
}

/// A signed text (V2) that the asked box is to keep for the server; nil asks whether it keeps any.
struct TextQuestion: Codable, Equatable {
    var text: String?
}

struct TextReply: Codable, Equatable {
    /// Whether it is on its disk.
    var isKept: Bool

    /// Why it keeps none.
    var trouble: String?

    static func none(_ trouble: String) -> TextReply { TextReply(isKept: false, trouble: trouble) }
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
            let start = sighting.unwatchedFrom.map { " \($0.milliseconds)" } ?? ""
            hash.update(data: Data("\(sighting.seenAt.milliseconds) \(sighting.plate.canonical)\(start)\n".utf8))
        }
        return hash.finalize().prefix(8).map { String(format: "%02x", $0) }.joined()
    }
}
