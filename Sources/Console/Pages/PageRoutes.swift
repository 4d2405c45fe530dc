import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Storage

/// The pages.
struct PageRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/") { request, context in try await watch(request, context) }
        router.get("/review") { request, context in try await review(request, context) }
        router.get("/alerts") { request, context in try await alerts(request, context) }
        router.get("/outcome") { request, context in try await outcome(request, context) }
        router.get("/overstays") { request, context in try await overstays(request, context) }
        router.get("/fragments/{name}") { request, context in try await fragment(request, context) }
        for action in Action.all {
            router.post("/do/\(action.path)") { request, context in
                let done = try await run(action, request, context).done
                return Response.redirect(to: done.next)
            }
        }
    }

    /// Reads an action's fields, looks whether its sender may do it, and does it.
    func run(_ action: Action, _ request: Request, _ context: ConsoleContext) async throws
        -> (done: Action.Done, active: SessionKeeper.Active)
    {
        let active = try context.user()
        let fields = try await Fields(request)
        if HTTPField.Name("X-Form-Token").flatMap({ request.headers[$0] }) == nil {
            guard let token = fields["form_token"], active.isFormToken(token) else {
                throw ConsoleError(.forbidden, "error_form")
            }
        }
        guard !action.isForTechnician || active.user.role == .technician else { throw ConsoleError.forbidden }
        return (try await action.perform(console, fields, active), active)
    }

    private func show(
        _ template: String, _ request: Request, _ context: ConsoleContext, _ model: [String: Any], at place: String
    ) async throws -> Response {
        console.page(
            template, context, model, at: place, state: try await console.statusView(context.texts),
            said: request.uri.queryParameters.get("said"))
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
        let waiting = try console.store.sightings(in: .review, limit: 200)
        let wanted = request.uri.queryParameters.get("id")
        let chosen = try wanted.flatMap { try console.store.sighting(id: $0) } ?? waiting.first
        var texts = context.texts.all
        texts["review_next"] = context.texts("review_next", ["count": "\(waiting.count)"])
        var model: [String: Any] = [:]
        if let chosen, chosen.state == .review { model["review"] = console.review(chosen, context.texts) }
        var context = context
        context.texts = context.texts.replacing(texts)
        return try await show("review", request, context, model, at: "review")
    }

    private func alerts(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let views = console.alertViews(try console.alerts.open(at: console.now), context.texts)
        return try await show("alerts", request, context, ["alerts": views], at: "alerts")
    }

    private func outcome(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        guard let id = request.uri.queryParameters.get("violation").flatMap({ UUID(uuidString: String($0)) }),
            let stored = try console.store.violation(id: id)
        else { throw ConsoleError.notFound }
        let texts = context.texts
        let alert = RangerAlert(
            subject: .violation(stored.violation), isTouched: true, raisedAt: stored.createdAt)
        let closes = try console.outcomeCloses(ofViolation: id)
        let current = stored.outcome
        let earlier = try console.store.outcomes(ofViolation: id).map { outcome in
            [
                "text": texts["outcome_" + outcome.kind.rawValue],
                "fine": outcome.fineAmount.map { "Rs " + AlertView.number($0) } ?? "", "notes": outcome.notes ?? "",
                "by": texts(
                    "recorded_by",
                    ["name": outcome.recordedBy, "time": NepalTime.short(outcome.recordedAt, now: console.now)]),
            ]
        }
        return try await show(
            "outcome", request, context,
            [
                "finding": console.alertViews([alert], texts)[0], "violationID": id.uuidString.lowercased(),
                "isClosed": closes.map { $0 <= console.now } ?? false,
                "closesAt": closes.flatMap { end -> String? in
                    end > console.now ? texts("outcome_until", ["time": NepalTime.short(end, now: console.now)]) : nil
                } ?? "", "isOpen": closes.map { $0 > console.now } ?? false,
                "kinds": Outcome.Kind.allCases.map {
                    Choice(value: $0.rawValue, text: texts["outcome_" + $0.rawValue], isChosen: $0 == current?.kind)
                },
                "fine": current?.fineAmount.map(AlertView.number) ?? "", "notes": current?.notes ?? "",
                "earlier": earlier,
            ], at: "alerts")
    }

    private func overstays(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let open = try console.store.overstayAlerts(limit: 200).sorted { $0.alert.entryTime < $1.alert.entryTime }
        let views = console.alertViews(
            open.map { RangerAlert(subject: .overstay($0), isTouched: true, raisedAt: $0.raisedAt) }, context.texts)
        let possible = try console.store.possibleMatches(limit: 50).map { stored -> [String: String] in
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
            guard try console.alerts.sounding(at: console.now).first != nil else { return html("") }
            return console.page("alert", context)
        default:
            throw ConsoleError.notFound
        }
    }
}
