import Enforcement
import Foundation
import ParkAPI
import Storage

/// What waits for review: each post tells the other, since a vehicle that waits there has not overstayed here.
final class ReviewExchange {
    private let context: SyncContext
    private let surroundings: any SyncSurroundings

    /// What waited here when the server was told last, and when it is told again.
    private var told: OtherPost.Reviews?
    private var nextTelling = Instant(milliseconds: 0)

    init(_ context: SyncContext, surroundings: any SyncSurroundings) {
        self.context = context
        self.surroundings = surroundings
    }

    /// Fetches what the other post said last. A server without the table, or a post that never told, leaves it unknown.
    ///
    /// - Returns: up to when all that it saw is at the server, if it says so.
    func pull() throws -> Instant? {
        guard let dialect = context.dialect, dialect.schema == .ours, dialect.can(.reviews) != false else {
            try context.store.otherPost.learn(reviews: nil, at: context.clock.now)
            return nil
        }
        return try keep(try ask())
    }

    /// What the server told with its news.
    ///
    /// - Returns: up to when all that the other post saw is at the server, if it says so.
    func take(_ rows: [ReviewsRow]) throws -> Instant? {
        // A server that tells it knows all of it.
        for ability in [ServerDialect.Ability.reviews, .completeness] { context.dialect?.learn(ability, true) }
        return try keep(rows)
    }

    private func keep(_ rows: [ReviewsRow]) throws -> Instant? {
        let reviews = rows.first.map { $0.reviews(at: context.clock.now) }
        try context.store.otherPost.learn(reviews: reviews, at: context.clock.now)
        return reviews?.completeUpTo
    }

    /// A server without the newest column is asked for the others; one that refuses these, too, has no such table.
    private func ask() throws -> [ReviewsRow] {
        let posts = context.place?.checkposts ?? []
        let others = posts.filter { $0.code != context.server.checkpostCode }.compactMap(\.id)
        let question = RowQuery<ReviewColumn>().whose(.checkpost, .isAmong(others)).limited(to: 1)
        let tellings: [[ReviewColumn]] = [[.asOf, .waiting, .completeUpTo], [.asOf, .waiting]]
        for columns in tellings {
            let hasAll = columns.contains(.completeUpTo)
            if hasAll, context.dialect?.can(.completeness) == false { continue }
            let (verdict, answer) = try context.askForVerdict(.read(question.telling(columns)))
            switch verdict {
            case .accepted:
                context.dialect?.learn(.reviews, true)
                context.dialect?.learn(.completeness, hasAll)
                return try context.readable { () throws(SenselessAnswer) in
                    try answer?.usableRows(ReviewsRow.self).rows ?? []
                }
            case .refused: continue
            default: throw CycleEnd("Asking what waits for review at the other post: \(verdict.reason)")
            }
        }
        context.dialect?.learn(.reviews, false)
        return []
    }

    /// Tells what waits here: when it has changed, and now and then that it has not.
    func tell() throws {
        guard let upload = try due() else { return }
        let (verdict, _) = try context.askForVerdict(
            .insert(upload, RowQuery<ReviewColumn>().onConflict([.checkpost]), .replaceKnown))
        switch verdict {
        case .accepted, .duplicate: note(upload)
        case .refused, .unsendable, .forbidden, .unwell, .unauthorised, .silent, .tooLong: return
        }
    }

    /// The same with the question whether there is anything new.
    ///
    /// - Returns: what the server answers; nil where nothing is due, or where it didn't take it: then both are said apart.
    func tellForNews() throws -> NewsAnswer? {
        guard let upload = try due() else { return nil }
        let (verdict, answer) = try context.askForVerdict(FunctionCall(.tellReviews, upload))
        switch verdict {
        case .accepted:
            note(upload)
            return answer?.object(NewsAnswer.self)
        case .refused, .forbidden:
            context.dialect?.learn(.tellingNews, false)
            return nil
        // What is wrong with the telling holds up nothing that is fetched: whether the server is well is asked without it.
        case .duplicate, .unsendable, .unwell, .unauthorised, .silent, .tooLong: return nil
        }
    }

    /// What is to be told now; nil where the server takes nothing of it, or knows it.
    private func due() throws -> ReviewsUpload? {
        guard let dialect = context.dialect, dialect.can(.reviews) == true, let own = context.ownCheckpost else {
            return nil
        }
        let reviews = try context.store.sightings.reviewsToTell(
            asOf: context.clock.now, cameras: surroundings.cameras, by: .server)
        guard reviews.waiting != told?.waiting || context.clock.uptime >= nextTelling else { return nil }
        return ReviewsUpload(
            checkpost: own, reviews: reviews, tellsCompleteness: dialect.can(.completeness) == true)
    }

    private func note(_ upload: ReviewsUpload) {
        told = upload.reviews
        nextTelling = context.clock.uptime + Self.tellingInterval
    }

    /// An overstay at the other post waits at most this long for the word that nothing waits here.
    private static let tellingInterval = TimeSpan.minutes(1)
}
