import Enforcement
import Foundation
import Hummingbird
import Pages

/// The first page: what there is today, and how the posts do.
struct TodayRoutes: Sendable {
    let warden: Warden

    /// A box that was not heard of for so long is in trouble: it speaks once a minute while it has a link.
    private static let silence = TimeSpan.minutes(60)

    func add(to router: Router<GatewayContext>) {
        router.on("/warden", method: .get) { request, _ in try await page("today", request) }
        router.on("/warden/fragments/today", method: .get) { request, _ in try await page("today-figures", request) }
    }

    private func page(_ template: String, _ request: Request) async throws -> Response {
        let now = Warden.now
        let day = NepalTime.start(ofDay: NepalTime.day(now)) ?? now
        let (visit, found) = try await warden.read(request) { connection, _ in
            (
                counts: try TodayFigures.counts(connection, since: day),
                posts: try TodayFigures.posts(connection, since: day),
                passages: try PassageRow.newest(connection, limit: 8)
            )
        }
        let texts = visit.texts
        var model: [String: Any] = [
            "dayText": texts.day(now), "time": texts.clock(now),
            "posts": found.posts.map { Self.view($0, texts, now: now) },
            "rows": found.passages.map { PassageView($0, texts, now: now) },
        ]
        if warden.gateway.photos.storage.trouble != nil { model["photosAway"] = true }
        if let counts = found.counts { model["counts"] = Self.view(counts, texts) }
        return try warden.show(template, request, visit, model, at: "today")
    }

    private static func view(_ counts: TodayFigures, _ texts: Texts) -> [[String: String]] {
        let today = "from=\(NepalTime.day(Warden.now))"
        return [
            ("count_passages", counts.passages, "/warden/passages?\(today)"),
            ("count_speeding", counts.speeding, "/warden/violations?kind=speeding&\(today)"),
            ("count_overstay", counts.overstay, "/warden/violations?kind=overstay&\(today)"),
            ("count_open", counts.openOverstays, "/warden/overstays"),
            ("count_inside", counts.inside, "/warden/passages?state=inside"),
            ("count_without_outcome", counts.withoutOutcome, "/warden/violations?state=open"),
        ].map { ["name": texts[$0.0], "count": texts.digits("\($0.1)"), "path": $0.2] }
    }

    private static func view(_ post: TodayFigures.Post, _ texts: Texts, now: Instant) -> [String: Any] {
        func when(_ moment: Micros?) -> String {
            moment.map { texts.short($0.instant, now: now) } ?? texts["unknown"]
        }
        let seen = post.lastSeen?.instant
        let isSilent = seen.map { now - $0 > silence } ?? false
        return [
            "code": post.code, "name": post.name, "passages": texts.digits("\(post.passages)"),
            "lastPassage": when(post.lastPassage), "lastSeen": when(post.lastSeen),
            "isSilent": isSilent, "version": post.version ?? texts["unknown"],
            "waiting": post.waiting.map { texts.digits("\($0)") } ?? texts["unknown"],
            "evidence": post.evidence.map { texts.digits("\($0)") } ?? texts["unknown"],
            "evidenceProblems": post.evidenceProblems == 0
                ? "" : texts["evidence_problems"] + " " + texts.digits("\(post.evidenceProblems)"),
            "hasEvidenceProblems": post.evidenceProblems > 0,
            "bySms": texts.digits("\(post.bySms)"),
            "reviews": post.reviews.map {
                texts.digits("\($0)") + (post.reviewsAt.map { " (" + texts.short($0.instant, now: now) + ")" } ?? "")
            } ?? texts["unknown"],
        ]
    }
}
