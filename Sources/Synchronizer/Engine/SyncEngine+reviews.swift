import Enforcement
import Foundation
import ParkAPI
import Storage

/// What waits for review: each post tells the other, since a vehicle that waits there has not overstayed here.
extension SyncEngine {
    /// Fetches what the other post said last. A server without the table, or a post that never told, leaves it unknown.
    func pullReviews() throws {
        guard let dialect, dialect.schema == .ours, dialect.can(.reviews) != false else {
            return try store.learn(otherPostReviews: nil, at: clock.now)
        }
        let others = (place?.checkposts ?? []).filter { $0.code != server.checkpostCode }.compactMap(\.id)
        let (verdict, answer) = try askForVerdict(
            .read(
                RowQuery<ReviewColumn>().whose(.checkpost, .isAmong(others)).telling([.asOf, .waiting]).limited(to: 1)))
        switch verdict {
        case .accepted: break
        case .refused:
            self.dialect?.learn(.reviews, false)
            return try store.learn(otherPostReviews: nil, at: clock.now)
        default: throw CycleEnd("Asking what waits for review at the other post: \(verdict.reason)")
        }
        self.dialect?.learn(.reviews, true)
        let rows = try readable { () throws(SenselessAnswer) in try answer?.usableRows(ReviewsRow.self).rows ?? [] }
        let now = clock.now
        try store.learn(otherPostReviews: rows.first.map { $0.reviews(at: now) }, at: now)
    }

    /// Tells what waits here: when it has changed, and now and then that it has not.
    func tellReviews() throws {
        guard dialect?.can(.reviews) == true, let own = ownCheckpost else { return }
        let reviews = try store.reviewsToTell(asOf: clock.now)
        guard reviews.waiting != toldReviews?.waiting || clock.uptime >= nextReviews else { return }
        let row = ReviewsUpload(checkpost: own, reviews: reviews)
        let (verdict, _) = try askForVerdict(
            .insert(row, RowQuery<ReviewColumn>().onConflict([.checkpost]), .replaceKnown))
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
