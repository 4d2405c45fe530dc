import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Ranger
import Storage

/// The pages.
struct PageRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/") { request, context in try await watch(request, context) }
        router.get("/review") { request, context in try await review(request, context) }
        router.get("/reviews") { request, context in try await reviews(request, context) }
        router.get("/alerts") { request, context in try await alerts(request, context) }
        router.get("/outcome") { request, context in try await outcome(request, context) }
        router.get("/overstays") { request, context in try await overstays(request, context) }
        router.get("/fragments/{name}") { request, context in try await fragment(request, context) }
        for action in Action.all {
            router.post("/do/\(action.path)") { request, context in
                _ = try context.user()
                let fields = try await Fields(request)
                do {
                    return Response.redirect(to: try await run(action, fields, request, context).done.next)
                } catch let error as ConsoleError where action.path == "outcomes" {
                    return try await outcomeAgain(fields, after: error, request, context)
                }
            }
        }
    }

    /// Looks whether the sender of an action may do it, and does it.
    func run(_ action: Action, _ fields: Fields, _ request: Request, _ context: ConsoleContext) async throws
        -> (done: Action.Done, active: SessionKeeper.Active)
    {
        let active = try context.user()
        if HTTPField.Name("X-Form-Token").flatMap({ request.headers[$0] }) == nil {
            guard let token = fields["form_token"], active.isFormToken(token) else {
                throw ConsoleError(.forbidden, "error_form")
            }
        }
        guard !action.isForTechnician || active.user.role == .technician else { throw ConsoleError.forbidden }
        do {
            return (try await action.perform(console, fields, active), active)
        } catch let refusal as RangerRefusal {
            throw ConsoleError(refusal)
        }
    }

    private func show(
        _ template: String, _ request: Request, _ context: ConsoleContext, _ model: [String: Any], at place: String
    ) async throws -> Response {
        let query = request.uri.queryParameters
        var model = model
        // What was just discarded can be taken back with one touch.
        model["undo"] = query.get("undo").map { String($0) }
        return console.page(
            template, context, model, at: place, state: try await console.statusView(context.texts),
            said: query.get("said"))
    }

    private func watch(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let newest = console.live.newest
        return try await show(
            "watch", request, context,
            [
                "live": ["camera": newest?.camera ?? ""],
                "counts": try console.counts(), "passages": try lastPassages(context.texts),
            ], at: "watch")
    }

    private func lastPassages(_ texts: Texts) throws -> [PassageView] {
        try console.store.passages(limit: 8).map { PassageView($0, texts) }
    }

    private func review(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        // The newest first: the vehicle at the barrier doesn't stand behind those of last week.
        let waiting = try console.store.sightings(in: .review, limit: 200, newestFirst: true)
        // One that somebody has decided meanwhile is followed by the next that waits.
        let named = try request.uri.queryParameters.get("id").flatMap { try console.store.sighting(id: $0) }
        let isDecided = named.map { $0.state != .review } ?? false
        let chosen = isDecided ? waiting.first : named ?? waiting.first
        var texts = context.texts.all
        texts["review_next"] = context.texts(
            "review_next", ["count": "\(try console.store.figures().waitingForReview)"])
        var model: [String: Any] = ["isDecided": isDecided]
        if let chosen {
            model["review"] = try console.review(chosen, context.texts)
            let place = waiting.firstIndex { $0.sighting.id == chosen.sighting.id }
            let next = place.map { waiting[($0 + 1) % waiting.count] } ?? waiting.first
            if let next, next.sighting.id != chosen.sighting.id {
                model["skipPath"] = "/review?id=" + next.sighting.id.escapedForQuery
            }
        }
        let discarded = try console.store.discardedByRangers(limit: 5)
        model["discarded"] = discarded.map { ReviewView($0, size: nil, now: console.now, context.texts) }
        model["hasDiscarded"] = !discarded.isEmpty
        var context = context
        context.texts = context.texts.replacing(texts)
        return try await show("review", request, context, model, at: "review")
    }

    /// All that waits, with the pictures, the newest first.
    private func reviews(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let waiting = try console.store.sightings(in: .review, limit: 200, newestFirst: true)
        let views = try waiting.map { stored in
            [
                "path": "/review?id=" + stored.sighting.id.escapedForQuery,
                "review": try console.review(stored, context.texts, measured: false),
            ] as [String: Any]
        }
        return try await show("reviews", request, context, ["reviews": views], at: "review")
    }

    private func alerts(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let views = console.alertViews(try console.alerts.open(at: console.now), context.texts)
        return try await show("alerts", request, context, ["alerts": views], at: "alerts")
    }

    private func overstays(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let open = try console.openOverstays()
        let views = console.alertViews(try open.map(console.alert), context.texts)
        let possible = try console.store.matches.possible(limit: 50).map { stored -> [String: String] in
            let isOwnEntry = stored.match.entry.checkpostCode == console.post.code
            let own = isOwnEntry ? stored.match.entry : stored.match.exit
            let other = isOwnEntry ? stored.match.exit : stored.match.entry
            return [
                "id": "\(stored.id)", "passageID": own.clientID.uuidString.lowercased(),
                "ownPlate": own.plate.canonical, "ownTime": NepalTime.short(own.recordedAt, now: console.now),
                "otherPlate": other.plate.canonical, "otherPost": other.checkpostCode,
                "otherTime": NepalTime.short(other.recordedAt, now: console.now),
                "oneText": context.texts("one_vehicle", ["plate": other.plate.canonical]),
            ]
        }
        return try await show(
            "overstays", request, context,
            ["overstays": views, "possible": possible, "hasPossible": !possible.isEmpty], at: "overstays")
    }

    /// A part of a page, for the script that keeps pages fresh.
    private func fragment(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        switch context.parameters.get("name") {
        case "status":
            return console.page("status", context, state: try await console.statusView(context.texts))
        case "counts":
            return console.page("counts", context, ["counts": try console.counts()])
        case "passages":
            return console.page("passages", context, ["passages": try lastPassages(context.texts)])
        case "alert":
            let shown = request.uri.queryParameters.get("shown").map { String($0) }
            guard let model = try console.soundingModel(shown: shown, context.texts) else { return html("") }
            return console.page("alert", context, model)
        default:
            throw ConsoleError.notFound
        }
    }
}
