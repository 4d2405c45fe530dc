import Enforcement
import Foundation

/// The columns of `post_reviews`.
package enum ReviewColumn: String, TableColumn {
    case checkpost = "checkpost_id"
    case asOf = "as_of"
    case waiting
    case completeUpTo = "complete_up_to"

    package static var table: Table { .postReviews }
}

/// What waits for a ranger at a post, as that post said.
package struct ReviewsRow: Decodable, Sendable {
    package var asOf: Instant
    package var waiting: [ToldWaiting]

    /// Nil where the post doesn't say, or a server can't tell.
    package var completeUpTo: Instant?

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: ReviewColumn.self)
        asOf = try cell.time(.asOf)
        waiting = try cell(.waiting)
        completeUpTo = try cell.optionalTime(.completeUpTo)
    }

    /// As it holds here.
    ///
    /// - Parameter now: a time ahead of ours proves nothing of what is between.
    package func reviews(at now: Instant) -> OtherPost.Reviews {
        OtherPost.Reviews(
            asOf: min(asOf, now),
            waiting: waiting.compactMap(\.sighting), completeUpTo: completeUpTo.map { min($0, asOf, now) })
    }
}

/// What waits here, as this post tells it.
package struct ReviewsUpload: Encodable, Sendable {
    package var checkpost: UUID
    package var reviews: OtherPost.Reviews
    private let tellsCompleteness: Bool

    /// - Parameter tellsCompleteness: the server has a column for it.
    package init(checkpost: UUID, reviews: OtherPost.Reviews, tellsCompleteness: Bool) {
        self.checkpost = checkpost
        self.reviews = reviews
        self.tellsCompleteness = tellsCompleteness
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: ReviewColumn.self)
        try row.write(id: checkpost, .checkpost)
        try row.write(time: reviews.asOf, .asOf)
        try row.write(reviews.waiting.map(ToldWaiting.init), .waiting)
        if tellsCompleteness { try row.write(time: reviews.completeUpTo, .completeUpTo) }
    }
}
