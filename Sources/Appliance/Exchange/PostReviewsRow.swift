import Enforcement
import ParkAPI

/// What waits for review at a post, as its export tells the other one.
package struct PostReviewsRow: Codable, Equatable {
    let asOf: String
    let waiting: [ToldWaiting]
    let completeUpTo: String?

    enum CodingKeys: String, CodingKey {
        case asOf = "as_of"
        case waiting
        case completeUpTo = "complete_up_to"
    }

    package init(_ reviews: OtherPost.Reviews) {
        asOf = reviews.asOf.iso8601
        completeUpTo = reviews.completeUpTo?.iso8601
        waiting = reviews.waiting.map(ToldWaiting.init)
    }

    /// Nil when its times are none.
    func reviews(at now: Instant) -> OtherPost.Reviews? {
        guard let asOf = Instant(iso8601: asOf) else { return nil }
        let sightings = waiting.prefix(OtherPost.Reviews.most).compactMap(\.sighting)
        let complete = completeUpTo.flatMap(Instant.init(iso8601:)).map { min($0, asOf, now) }
        return OtherPost.Reviews(asOf: min(asOf, now), waiting: sightings, completeUpTo: complete)
    }
}
