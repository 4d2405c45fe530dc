import Enforcement
import Foundation
import Storage

/// What waits for review: each post tells the other, since a vehicle that waits there has not overstayed here.
extension SyncEngine {
    private struct Waiting: Codable {
        var at: String
        var plate: String
    }

    private struct Told: Decodable {
        var as_of: ServerTime
        var waiting: [Waiting]
    }

    private struct Telling: Encodable {
        var checkpost_id: String
        var as_of: String
        var waiting: [Waiting]
    }

    private static let path = "/rest/v1/post_reviews"

    /// Fetches what the other post said last. A server without the table, or a post that never told, leaves it unknown.
    func pullReviews(own: String) throws {
        guard isExtended == true, tellsReviews != false else {
            return try store.learn(otherPostReviews: nil, at: clock.now)
        }
        let others = (place?.checkposts ?? []).filter { $0.code != server.checkpostCode }
            .compactMap { $0.id?.uuidString.lowercased() }.joined(separator: ",")
        let (verdict, answer) = try askForVerdict(
            SyncRequest(
                .get, Self.path,
                query: [("checkpost_id", "in.(\(others))"), ("select", "as_of,waiting"), ("limit", "1")]))
        switch verdict {
        case .accepted: break
        case .refused:
            tellsReviews = false
            return try store.learn(otherPostReviews: nil, at: clock.now)
        default: throw CycleEnd("Asking what waits for review at the other post: \(verdict.reason)")
        }
        tellsReviews = true
        guard let row = try answer?.usableRows(Told.self).rows.first else {
            return try store.learn(otherPostReviews: nil, at: clock.now)
        }
        // A time ahead of ours proves nothing of what is between.
        let reviews = OtherPost.Reviews(
            asOf: min(row.as_of.instant, clock.now),
            waiting: row.waiting.compactMap { waiting in
                Instant(iso8601: waiting.at).map {
                    WaitingSighting(seenAt: $0, plate: Plate(canonical: String(waiting.plate.prefix(32))))
                }
            })
        try store.learn(otherPostReviews: reviews, at: clock.now)
    }

    /// Tells what waits here: when it has changed, and now and then that it has not.
    func tellReviews() throws {
        guard isExtended == true, tellsReviews == true,
            let own = place?.checkposts.first(where: { $0.code == server.checkpostCode })?.id
        else { return }
        let reviews = try store.reviewsToTell(asOf: clock.now)
        guard reviews.waiting != toldReviews?.waiting || clock.uptime >= nextReviews else { return }
        let row = Telling(
            checkpost_id: own.uuidString.lowercased(), as_of: reviews.asOf.iso8601,
            waiting: reviews.waiting.map { Waiting(at: $0.seenAt.iso8601, plate: $0.plate.canonical) })
        let (verdict, _) = try askForVerdict(
            SyncRequest(
                .post, Self.path, query: [("on_conflict", "checkpost_id")],
                headers: ["Prefer": "return=minimal,resolution=merge-duplicates"], body: try JSONEncoder().encode(row)))
        switch verdict {
        case .accepted, .duplicate:
            toldReviews = reviews
            nextReviews = clock.uptime + Self.tellingInterval
        case .refused, .unsendable, .forbidden, .unwell, .unauthorised, .silent, .tooLong: return
        }
    }

    /// An overstay at the other post waits at most this long for the word that nothing waits here.
    private static let tellingInterval = TimeSpan.minutes(1)
}
