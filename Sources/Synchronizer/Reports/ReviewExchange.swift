import Enforcement
import Foundation
import ParkAPI
import Storage

/// What waits for review: each post tells the other, since a vehicle that waits there has not overstayed here.
final class ReviewExchange {
    private let context: SyncContext

    /// What waited here when the server was told last, and when it is told again.
    private var told: OtherPost.Reviews?
    private var nextTelling = Instant(milliseconds: 0)

    init(_ context: SyncContext) { self.context = context }

    /// Fetches what the other post said last. A server without the table, or a post that never told, leaves it unknown.
    func pull() throws {
        guard let dialect = context.dialect, dialect.schema == .ours, dialect.can(.reviews) != false else {
            return try context.store.otherPost.learn(reviews: nil, at: context.clock.now)
        }
        let posts = context.place?.checkposts ?? []
        let others = posts.filter { $0.code != context.server.checkpostCode }.compactMap(\.id)
        let (verdict, answer) = try context.askForVerdict(
            .read(
                RowQuery<ReviewColumn>().whose(.checkpost, .isAmong(others)).telling([.asOf, .waiting]).limited(to: 1)))
        switch verdict {
        case .accepted: break
        case .refused:
            context.dialect?.learn(.reviews, false)
            return try context.store.otherPost.learn(reviews: nil, at: context.clock.now)
        default: throw CycleEnd("Asking what waits for review at the other post: \(verdict.reason)")
        }
        context.dialect?.learn(.reviews, true)
        let rows = try context.readable { () throws(SenselessAnswer) in
            try answer?.usableRows(ReviewsRow.self).rows ?? []
        }
        let now = context.clock.now
        try context.store.otherPost.learn(reviews: rows.first.map { $0.reviews(at: now) }, at: now)
    }

    /// Tells what waits here: when it has changed, and now and then that it has not.
    func tell() throws {
        guard context.dialect?.can(.reviews) == true, let own = context.ownCheckpost else { return }
        let reviews = try context.store.sightings.reviewsToTell(asOf: context.clock.now)
        guard reviews.waiting != told?.waiting || context.clock.uptime >= nextTelling else { return }
        let row = ReviewsUpload(checkpost: own, reviews: reviews)
        let (verdict, _) = try context.askForVerdict(
            .insert(row, RowQuery<ReviewColumn>().onConflict([.checkpost]), .replaceKnown))
        switch verdict {
        case .accepted, .duplicate:
            told = reviews
            nextTelling = context.clock.uptime + Self.tellingInterval
        case .refused, .unsendable, .forbidden, .unwell, .unauthorised, .silent, .tooLong: return
        }
    }

    /// An overstay at the other post waits at most this long for the word that nothing waits here.
    private static let tellingInterval = TimeSpan.minutes(1)
}
