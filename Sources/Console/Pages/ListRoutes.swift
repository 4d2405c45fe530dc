import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// The lists that people keep: plates to watch for, exempt vehicles, who may sign in.
struct ListRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        for list in ["wanted", "exempt", "users"] {
            router.get(.init("/" + list)) { request, context in try await page(list, request, context) }
        }
    }

    /// - Parameter refused: what was typed in the list's form, and what stands against it.
    func page(
        _ list: String, _ request: Request, _ context: ConsoleContext, refused: Refused? = nil
    ) async throws -> Response {
        let active = try context.user()
        guard list == "wanted" || active.user.role == .technician else { throw ConsoleError.forbidden }
        let texts = context.texts
        var model: [String: Any] = ["place": "/" + list]
        switch list {
        case "wanted": model["rows"] = try wanted(texts)
        case "exempt": model["rows"] = try exempt(texts)
        default: model["rows"] = try users(texts, but: active.user.name)
        }
        if list == "users" {
            model["roles"] = User.Role.allCases.map {
                Choice(
                    value: $0.rawValue, text: texts["role_" + $0.rawValue],
                    isChosen: $0.rawValue == (refused?.fields["role"] ?? User.Role.ranger.rawValue))
            }
        } else {
            model["isWanted"] = list == "wanted"
            model["path"] = list
            model["title"] = texts["list_" + list]
            model["reasons"] = texts["reasons_" + list].split(separator: "|").map(String.init)
            model["mostReason"] = list == "wanted" ? 60 : 200
        }
        if let refused {
            model["problem"] = refused.said(texts)
            for name in ["plate", "reason", "name", "full_name"] { model["typed_" + name] = refused.fields[name] }
        }
        return console.page(
            list == "users" ? "users" : "list", context, model, at: list == "wanted" ? "alerts" : "technician",
            status: refused?.error.status ?? .ok, state: try await console.statusView(texts),
            said: SaidView(request, console, texts))
    }

    private func wanted(_ texts: Texts) throws -> [[String: String]] {
        try console.store.wantedPlates.list().map { wanted in
            let by = wanted.addedBy ?? texts["list_of_park"]
            var row = [
                "plate": wanted.plate.canonical, "script": PlateSpelling.shown(wanted.plate) ?? "",
                "reason": wanted.reason, "by": by + ", " + texts.short(wanted.addedAt, now: console.now),
                "seen": wanted.lastSeenAt.map { texts("wanted_last", ["time": texts.short($0, now: console.now)]) }
                    ?? "",
            ]
            // What the office lists is taken off there.
            row["own"] = wanted.addedBy
            return row
        }
    }

    private func exempt(_ texts: Texts) throws -> [[String: String]] {
        try console.store.exemptPlates.list().map { exempt in
            let by = exempt.isOfPark ? [texts["list_of_park"]] : []
            var row = [
                "plate": exempt.plate.canonical, "script": PlateSpelling.shown(exempt.plate) ?? "",
                "reason": exempt.reason, "seen": "",
                "by": (by + [texts.short(exempt.addedAt, now: console.now)]).joined(separator: ", "),
            ]
            if !exempt.isOfPark { row["own"] = "own" }
            return row
        }
    }

    private func users(_ texts: Texts, but own: String) throws -> [[String: Any]] {
        try console.store.accounts.users().map { user in
            [
                "name": user.name, "fullName": user.fullName, "role": texts["role_" + user.role.rawValue],
                "pin": user.pinHash == nil ? "" : texts["pin"], "isOther": user.name != own,
                "seen": user.lastSignInAt.map { texts.short($0, now: console.now) } ?? "",
            ]
        }
    }
}
