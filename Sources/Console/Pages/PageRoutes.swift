import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
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
                } catch let error as ConsoleError {
                    return try await formAgain(
                        action, Refused(fields: fields, error: error), request, context)
                } catch let error as StoreError {
                    return try await formAgain(
                        action, Refused(fields: fields, error: ConsoleError(error)), request, context)
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

    func show(
        _ template: String, _ request: Request, _ context: ConsoleContext, _ model: [String: Any], at place: String,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        console.page(
            template, context, model, at: place, status: status, state: try await console.statusView(context.texts),
            said: SaidView(request, console, context.texts))
    }

    private func watch(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let newest = console.live.newest
        return try await show(
            "watch", request, context,
            [
                "live": ["camera": newest?.camera ?? ""],
                "counts": try console.counts().texts(context.texts), "passages": try lastPassages(context.texts),
            ], at: "watch")
    }

    private func lastPassages(_ texts: Texts) throws -> [PassageView] {
        try console.store.passages.list(limit: 8).map { PassageView($0, texts) }
    }

    private func alerts(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let texts = context.texts
        let views = console.alertViews(try console.alerts.open(at: console.now), texts, withPictures: false)
        let done = try console.alerts.done(at: console.now).map { stored -> [String: String] in
            let what = stored.outcome.map { texts["outcome_" + $0.kind.rawValue] + " " + texts.fine($0) } ?? ""
            return [
                "path": "/outcome?violation=" + stored.id.uuidString.lowercased(),
                "plate": stored.violation.plate.canonical, "script": PlateSpelling.shown(stored.violation.plate) ?? "",
                "time": texts.short(stored.violation.exitTime, now: console.now), "what": what,
                "title": texts[stored.violation.kind == .speeding ? "speeding" : "late"],
                "by": stored.outcome.map {
                    texts("recorded_by", ["name": $0.recordedBy, "time": texts.short($0.recordedAt, now: console.now)])
                } ?? "",
            ]
        }
        return try await show(
            "alerts", request, context, ["alerts": views, "done": done, "hasDone": !done.isEmpty], at: "alerts")
    }

    /// A part of a page, for the script that keeps pages fresh.
    private func fragment(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        // An alert is shown at the post's own screen whoever is signed in, or nobody; nothing else is.
        let name = context.parameters.get("name")
        if name != "alert" || !context.isAtPost { _ = try context.user() }
        switch name {
        case "status":
            return console.page("status", context, state: try await console.statusView(context.texts))
        case "counts":
            return console.page("counts", context, ["counts": try console.counts().texts(context.texts)])
        case "printer":
            return console.page("printer", context)
        case "passages":
            return console.page("passages", context, ["passages": try lastPassages(context.texts)])
        case "reviews":
            return console.page("review-cards", context, try reviewList(request, context.texts))
        case "alert":
            let shown = request.formQuery.get("shown")
            let isFull = context.active != nil
            guard let model = try console.soundingModel(shown: shown, isFull: isFull, context.texts) else {
                return html("")
            }
            return console.page("alert", context, model)
        default:
            throw ConsoleError.notFound
        }
    }
}
