import Enforcement
import Foundation
import ParkAPI

/// Whether the server has anything that was not read: on a quiet road one question takes the place of eight.
final class NewsWatch {
    /// So often everything is asked for whatever the number says. It is the same by chance where a server was put back to a backup and
    /// others have brought it to where it was; and what an account may see can change without one.
    static let wholeInterval = TimeSpan.minutes(10)

    private let context: SyncContext

    /// The number that the server told before everything was read.
    private var read: Int64?

    /// The further roads of the post when everything was read: on one that it didn't know then, what happened before is news to it.
    private var roads: Set<UUID> = []

    /// When everything is asked for again, on `SyncClock.uptime`.
    private var nextWhole: Instant

    init(_ context: SyncContext) {
        self.context = context
        nextWhole = context.clock.uptime
    }

    /// Everything is asked for with the next cycle.
    func expire() { read = nil }

    /// What this post says of itself goes with the question where the server takes it so.
    ///
    /// - Returns: nil where the server can't say: then everything is asked for.
    func ask(telling reviews: ReviewExchange) throws -> NewsAnswer? {
        guard let dialect = context.dialect, dialect.schema == .ours,
            dialect.can(.news) != false
        else { return nil }
        if dialect.can(.tellingNews) == true, let answer = try reviews.tellForNews() { return answer }
        let (verdict, answer) = try context.askForVerdict(FunctionCall(.news, NoQuestion()))
        switch verdict {
        case .accepted:
            context.dialect?.learn(.news, true)
            // One that makes no sense says nothing; what is asked then is judged by itself.
            let news = answer?.object(NewsAnswer.self)
            // A server that marks the rest has the other question, too.
            if news?.reference != nil, dialect.can(.tellingNews) == nil {
                context.dialect?.learn(.tellingNews, true)
            }
            return news
        case .refused:
            context.dialect?.learn(.news, false)
            return nil
        default: throw CycleEnd("Asking whether there is anything new: \(verdict.reason)")
        }
    }

    func isKnown(_ news: NewsAnswer) -> Bool {
        news.number == read && roads == known && context.clock.uptime < nextWhole
    }

    private var known: Set<UUID> { Set(context.furtherRoads.map(\.road.own)) }

    /// Everything was read after the server told this.
    func note(_ news: NewsAnswer?) {
        read = news?.number
        roads = known
        nextWhole = context.clock.uptime + Self.wholeInterval
    }
}
