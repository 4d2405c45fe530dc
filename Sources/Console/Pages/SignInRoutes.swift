import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Storage

/// The way in and out.
struct SignInRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/sign-in") { request, context in
            context.active == nil ? try form(context, WayOn(request)) : .redirect(to: "/")
        }
        router.post("/sign-in") { request, context in
            let fields = try await Fields(request)
            switch try await attempt(fields, context) {
            case .success(let token): return welcome(token, to: WayOn(fields).page)
            case .failure(let error):
                var answer = try form(context, WayOn(fields), problem: error.said(context.texts), status: error.status)
                if let seconds = error.retryAfterSeconds { answer.headers[.retryAfter] = "\(seconds)" }
                return answer
            }
        }
        router.post("/api/sign-in") { request, context in
            let fields = try await Fields(request)
            let token = try await attempt(fields, context).get()
            guard let active = try console.sessions.active(token, at: console.now) else { throw ConsoleError.signedOut }
            var answer = json(
                [
                    "user": active.user.name, "role": active.user.role.rawValue, "form_token": active.formToken,
                    "session": token,
                ])
            answer.headers[.setCookie] = cookie(token)
            return answer
        }
        for path in ["/sign-out", "/api/sign-out"] {
            router.post("\(path)") { request, context in
                let active = try context.user()
                if HTTPField.Name("X-Form-Token").flatMap({ request.headers[$0] }) == nil {
                    guard let token = try await Fields(request)["form_token"], active.isFormToken(token) else {
                        throw ConsoleError(.forbidden, "error_form")
                    }
                }
                try console.sessions.end(active.token)
                var answer = path == "/sign-out" ? Response.redirect(to: "/sign-in") : json([String: String]())
                answer.headers[.setCookie] = cookie("", age: 0)
                return answer
            }
        }
        router.post("/lock") { request, context in
            let active = try context.user()
            let fields = try await Fields(request)
            guard let token = fields["form_token"], active.isFormToken(token) else {
                throw ConsoleError(.forbidden, "error_form")
            }
            try console.sessions.end(active.token)
            var answer = Response.redirect(to: WayOn(user: active.user.name, page: fields["next"]).signInPath)
            answer.headers[.setCookie] = cookie("", age: 0)
            return answer
        }
        router.post("/language") { request, _ in
            let wanted = try await Fields(request)["language"] ?? "en"
            return keep("language", Texts.languages.contains(wanted) ? wanted : "en", asked: request)
        }
        router.post("/theme") { request, _ in
            let wanted = try await Fields(request)["theme"]
            return keep("theme", wanted == "day" ? "day" : "night", asked: request)
        }
    }

    /// Back to where it was asked, with a choice that this browser keeps for a year.
    private func keep(_ name: String, _ value: String, asked request: Request) -> Response {
        var answer = Response.redirect(to: request.comesFrom ?? "/")
        answer.headers[.setCookie] =
            "checkpost_\(name)=\(value); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
        return answer
    }

    private func attempt(_ fields: Fields, _ context: ConsoleContext) async throws -> Result<String, ConsoleError> {
        let texts = context.texts
        guard console.signInThrottle.allows(context.address, at: console.now) else {
            return .failure(ConsoleError(.tooManyRequests, "sign_in_too_many", retryAfterSeconds: 60))
        }
        let text = fields["pin"] == nil ? "sign_in_refused" : "sign_in_refused_pin"
        let refused = ConsoleError(.unauthorized, text)
        guard let name = fields["user"] else {
            // A PIN without a name is nobody's failure.
            guard fields["pin"] != nil, context.isAtPost else { return .failure(refused) }
            return .failure(ConsoleError(.unprocessableContent, "sign_in_choose"))
        }
        let way: SignIn.Way
        if let pin = fields["pin"] {
            // A PIN is short: it opens the box's own screen and nothing else.
            guard context.isAtPost else { return .failure(refused) }
            way = .pin(Secret(pin))
        } else {
            way = .password(Secret(fields.exact("password") ?? ""))
        }
        switch try await console.signIn.check(name, way, at: console.now) {
        case .welcome(let user): return .success(try console.sessions.begin(user, with: way.secret, at: console.now))
        case .refused: return .failure(refused)
        case .locked(let until):
            return .failure(
                ConsoleError(
                    .tooManyRequests, "sign_in_locked", ["time": texts.clock(until)],
                    retryAfterSeconds: max(1, Int((until - console.now).seconds.rounded(.up)))))
        case .passwordWanted:
            return .failure(ConsoleError(.unauthorized, "sign_in_password_wanted"))
        case .serverUnreachable:
            return .failure(ConsoleError(.serviceUnavailable, "sign_in_unreachable"))
        }
    }

    /// Who is expected, and where they go on.
    private struct WayOn {
        var user: String?
        var page: String?

        init(user: String?, page: String?) {
            self.user = user
            // A page of ours: another site's address would begin with two slashes.
            self.page = page.flatMap { page in
                let isOurs =
                    page.hasPrefix("/") && !page.hasPrefix("//") && page.utf8.count <= 500
                    && page.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") }
                return isOurs && !page.hasPrefix("/do/") ? page : nil
            }
        }

        init(_ fields: Fields) { self.init(user: fields["user"], page: fields["next"]) }

        init(_ request: Request) {
            let query = request.formQuery
            self.init(user: query.get("user").map { String($0) }, page: query.get("next").map { String($0) })
        }

        var signInPath: String {
            let values = [("user", user), ("next", page)].compactMap { name, value in
                value.map { name + "=" + $0.escapedForQuery }
            }
            return "/sign-in" + (values.isEmpty ? "" : "?" + values.joined(separator: "&"))
        }
    }

    private func form(
        _ context: ConsoleContext, _ wayOn: WayOn, problem: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let users = try console.store.accounts.users()
        var model: [String: Any] = ["noUsers": users.isEmpty]
        model["problem"] = problem
        model["next"] = wayOn.page
        if context.isAtPost {
            let withPIN = users.filter { $0.pinHash != nil }
            if !withPIN.isEmpty {
                // Where there are several nobody is chosen beforehand: a wrong PIN counts against whoever is.
                model["pinUsers"] = [
                    "users": withPIN.map { user in
                        [
                            "name": user.name, "fullName": user.fullName,
                            "isChosen": user.name == wayOn.user || withPIN.count == 1,
                        ] as [String: Any]
                    }
                ]
            }
            // Whoever takes over sees what is open.
            model["openText"] = context.texts(
                "open_now",
                [
                    "alerts": "\(try console.alerts.open(at: console.now).count)",
                    "reviews": "\(try console.store.figures.now().waitingForReview)",
                ])
        }
        return console.page("sign-in", context, model, status: status)
    }

    private func welcome(_ token: String, to page: String?) -> Response {
        var answer = Response.redirect(to: page ?? "/")
        answer.headers[.setCookie] = cookie(token)
        return answer
    }

    /// A browser that crashes keeps it; the box decides how long it is good for.
    private func cookie(_ value: String, age: Int = 7 * 86_400) -> String {
        "\(SessionKeeper.cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)"
            + (console.configuration.hasTLS ? "; Secure" : "")
    }
}
