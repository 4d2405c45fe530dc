import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// The page on which a technician has what was fetched, or some days, go once more: it says what it will do before anything is done.
struct AgainRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/again") { request, context in
            guard try context.user().user.role == .technician else { throw ConsoleError.forbidden }
            return console.page(
                "again", context, try await model(request, context.texts), at: "technician",
                state: try await console.statusView(context.texts), said: SaidView(request, console, context.texts))
        }
    }

    private struct Field: Encodable {
        let name: String
        let value: String
    }

    private func model(_ request: Request, _ texts: Texts) async throws -> [String: Any] {
        let query = request.formQuery
        let post = console.otherPost
        let names = ["all"] + FetchedKind.allCases.map(\.rawValue)
        var model: [String: Any] = [
            "kinds": names.map { Choice(value: $0, text: texts("again_" + $0, ["post": post]), isChosen: false) },
            "underWay": try DaysDirection.allCases.compactMap { try console.store.days.wanted($0) }.map { days in
                texts(
                    "again_way_" + days.direction.rawValue,
                    ["time": texts.short(days.place, now: console.now), "count": texts.digits("\(days.count)")])
            },
        ]
        if let name = query.get("kind") {
            guard let kinds = FetchedKind.chosen(name) else { throw ConsoleError.notFound }
            model["title"] = texts("again_" + name, ["post": post])
            model["plan"] = try await plan(kinds, texts)
            model["fields"] = [Field(name: "kind", value: name)]
            model["action"] = "/do/again/fetched"
        } else if let direction = query.get("direction") {
            let days = try WantedDays(direction, from: query.get("from"), to: query.get("to"))
            model["title"] = texts["again_" + direction]
            model["plan"] = [try plan(days, texts)]
            model["fields"] = ["direction", "from", "to"].map { Field(name: $0, value: query.get($0) ?? "") }
            model["action"] = "/do/again/days"
        }
        model["hasPlan"] = model["plan"] != nil
        return model
    }

    private func plan(_ kinds: Set<FetchedKind>, _ texts: Texts) async throws -> [String] {
        let counts = try console.store.fetched.counts()
        func said(_ count: Int) -> String { texts.digits("\(count)") }
        var lines = FetchedKind.allCases.filter(kinds.contains).map { kind in
            let count =
                switch kind {
                case .passages: counts.passages
                case .lists: counts.listedPlates
                case .accounts: counts.accounts
                case .findings: counts.violations
                case .road: 0
                }
            return texts(
                "again_plan_" + kind.rawValue,
                ["count": said(count), "kept": said(counts.passagesKept), "post": console.otherPost])
        }
        lines.append(texts["again_untouched"])
        if await console.host.status().link != .online {
            lines.append(texts["again_offline"])
            if kinds.contains(.passages) { lines.append(texts("again_offline_passages", ["post": console.otherPost])) }
        }
        return lines
    }

    private func plan(_ days: WantedDays, _ texts: Texts) throws -> String {
        let counts = try console.store.days.counts(from: days.from, until: days.until)
        let isSent = days.direction == .send
        return texts(
            "again_plan_" + days.direction.rawValue,
            [
                "count": texts.digits("\(isSent ? counts.passages : counts.others)"), "post": console.otherPost,
                "corrections": texts.digits("\(counts.corrections)"), "photos": texts.digits("\(counts.photos)"),
            ])
    }
}
