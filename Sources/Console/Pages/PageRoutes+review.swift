import Enforcement
import Foundation
import Hummingbird
import Pages
import Ranger
import Storage

extension PageRoutes {
    func review(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        return try await reviewForm(request.formQuery.get("id"), request, context)
    }

    /// One that waits for review; of those that are not named the newest: the vehicle at the barrier doesn't stand behind those of
    /// last week.
    func reviewForm(
        _ id: String?, _ request: Request, _ context: ConsoleContext, refused: Refused? = nil
    ) async throws -> Response {
        let store = console.store
        let newest = try store.sightings.list(in: .review, limit: 1, newestFirst: true).first
        // One that somebody has decided meanwhile is followed by the next that waits.
        let named = try id.flatMap { try store.sightings.sighting(id: $0) }
        let isDecided = named.map { $0.state != .review } ?? false
        let chosen = isDecided ? newest : named ?? newest
        var texts = context.texts.all
        texts["review_next"] = context.texts(
            "review_next", ["count": "\(try store.figures.now().waitingForReview)"])
        var model: [String: Any] = ["isDecided": isDecided]
        if let chosen {
            model["review"] = try console.review(chosen, context.texts, chosen: refused?.fields["vehicle_type"])
            model["typed"] = refused?.fields.exact("plate") ?? chosen.sighting.reading.plate.canonical
            model["problem"] = refused?.said(context.texts)
            let elsewhere = try seenElsewhere(chosen.sighting, context.texts)
            model["elsewhere"] = elsewhere
            model["isElsewhere"] = !elsewhere.isEmpty
            if let next = try store.sightings.nextInReview(after: chosen.sighting) {
                model["skipPath"] = "/review?id=" + next.sighting.id.escapedForQuery
            }
            model["place"] = "/review?id=" + chosen.sighting.id.escapedForQuery
        }
        let discarded = try store.sightings.discardedByRangers(limit: 5)
        model["discarded"] = discarded.map { ReviewView($0, size: nil, now: console.now, context.texts) }
        model["hasDiscarded"] = !discarded.isEmpty
        var context = context
        context.texts = context.texts.replacing(texts)
        return try await show(
            "review", request, context, model, at: "review", status: refused?.error.status ?? .ok)
    }

    /// The vehicles of the other post that it may be, with their pictures: one touch takes over the plate.
    private func seenElsewhere(_ sighting: Sighting, _ texts: Texts) throws -> [[String: Any]] {
        let at = sighting.bestFrame.recordedAt
        let passages = try console.store.matches.unmatched(
            .remote, from: at - SeenElsewhere.span, to: at + SeenElsewhere.span)
        return SeenElsewhere.vehicles(for: sighting.reading, seenAt: at, among: passages).map { passage in
            let label = passage.checkpostCode + " " + texts.short(passage.recordedAt, now: console.now)
            return [
                "plate": passage.plate.canonical, "label": label,
                "picture": console.picture(of: passage.clientID, label: label, texts),
            ]
        }
    }

    static let reviewPageSize = 60

    /// All that waits, with the pictures, the newest first, a page at a time.
    func reviews(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        return try await show("reviews", request, context, try reviewList(request, context.texts), at: "review")
    }

    func reviewList(_ request: Request, _ texts: Texts) throws -> [String: Any] {
        let offset =
            request.formQuery.get("offset").flatMap { Int($0) }.map { min(max(0, $0), 1_000_000) } ?? 0
        let waiting = try console.store.sightings.list(
            in: .review, limit: Self.reviewPageSize + 1, newestFirst: true, offset: offset)
        let views = try waiting.prefix(Self.reviewPageSize).map { stored in
            [
                "path": "/review?id=" + stored.sighting.id.escapedForQuery,
                "review": try console.review(stored, texts, measured: false),
            ] as [String: Any]
        }
        var model: [String: Any] = ["reviews": views]
        if waiting.count > Self.reviewPageSize {
            model["morePath"] = "/reviews?offset=\(offset + Self.reviewPageSize)"
            model["moreFragment"] = "/fragments/reviews?offset=\(offset + Self.reviewPageSize)"
        }
        return model
    }
}
