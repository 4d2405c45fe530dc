import Enforcement
import Storage

/// What waits for review at a post, as its export tells the other one.
package struct PostReviewsRow: Codable, Equatable {
    package struct Waiting: Codable, Equatable {
        let at: String
        let plate: String
    }

    let asOf: String
    let waiting: [Waiting]
    let completeUpTo: String?

    enum CodingKeys: String, CodingKey {
        case asOf = "as_of"
        case waiting
        case completeUpTo = "complete_up_to"
    }

    package init(_ reviews: OtherPost.Reviews) {
        asOf = reviews.asOf.iso8601
        completeUpTo = reviews.completeUpTo?.iso8601
        waiting = reviews.waiting.map { Waiting(at: $0.seenAt.iso8601, plate: $0.plate.canonical) }
    }

    /// Nil when its times are none.
    func reviews(at now: Instant) -> OtherPost.Reviews? {
        guard let asOf = Instant(iso8601: asOf) else { return nil }
        let sightings = waiting.prefix(OtherPost.Reviews.most).compactMap { waiting in
            Instant(iso8601: waiting.at).map {
                WaitingSighting(seenAt: $0, plate: Plate(canonical: String(waiting.plate.prefix(32))))
            }
        }
        let complete = completeUpTo.flatMap(Instant.init(iso8601:)).map { min($0, asOf, now) }
        return OtherPost.Reviews(asOf: min(asOf, now), waiting: sightings, completeUpTo: complete)
    }
}
