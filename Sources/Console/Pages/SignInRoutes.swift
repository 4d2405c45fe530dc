import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Storage

/// The way in and out.
struct SignInRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/sign-in") { _, context in
            context.active == nil ? try form(context) : .redirect(to: "/")
        }
        router.post("/sign-in") { request, context in
            let fields = try await Fields(request)
            switch try await attempt(fields, context) {
            case .success(let token): return welcome(token)
            case .failure(let error):
                var answer = try form(context, problem: error.detail, status: error.status)
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
        router.post("/language") { request, _ in
            let wanted = try await Fields(request)["language"] ?? "en"
            let language = Texts.languages.contains(wanted) ? wanted : "en"
            var answer = Response.redirect(to: back(request))
            answer.headers[.setCookie] =
                "checkpost_language=\(language); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
            return answer
        }
    }

    /// The page that the request came from, if it is ours.
    private func back(_ request: Request) -> String {
        guard let referer = HTTPField.Name("Referer").flatMap({ request.headers[$0] }),
            let address = URLComponents(string: referer), address.path.hasPrefix("/"), !address.path.hasPrefix("//")
        else { return "/" }
        return address.percentEncodedPath + (address.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    private func attempt(_ fields: Fields, _ context: ConsoleContext) async throws -> Result<String, ConsoleError> {
        let texts = context.texts
        guard console.signInThrottle.allows(context.address, at: console.now) else {
            return .failure(
                ConsoleError(
                    .tooManyRequests, "sign_in_too_many", detail: texts["sign_in_too_many"], retryAfterSeconds: 60))
        }
        let refused = ConsoleError(.unauthorized, "sign_in_refused", detail: texts["sign_in_refused"])
        guard let name = fields["user"] else { return .failure(refused) }
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
            let time = NepalTime.clock(until)
            return .failure(
                ConsoleError(
                    .tooManyRequests, "sign_in_locked", detail: texts("sign_in_locked", ["time": time]),
                    retryAfterSeconds: max(1, Int((until - console.now).seconds.rounded(.up)))))
        case .passwordWanted:
            return .failure(
                ConsoleError(.unauthorized, "sign_in_password_wanted", detail: texts["sign_in_password_wanted"]))
        case .serverUnreachable:
            return .failure(
                ConsoleError(.serviceUnavailable, "sign_in_unreachable", detail: texts["sign_in_unreachable"]))
        }
    }

    private func form(
        _ context: ConsoleContext, problem: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let users = try console.store.accounts.users()
        var model: [String: Any] = ["noUsers": users.isEmpty]
        model["problem"] = problem
        let withPIN = users.filter { $0.pinHash != nil }
        if context.isAtPost, !withPIN.isEmpty {
            model["pinUsers"] = [
                "users": withPIN.enumerated().map { index, user in
                    ["name": user.name, "fullName": user.fullName, "isFirst": index == 0] as [String: Any]
                }
            ]
        }
        return console.page("sign-in", context, model, status: status)
    }

    private func welcome(_ token: String) -> Response {
        var answer = Response.redirect(to: "/")
        answer.headers[.setCookie] = cookie(token)
        return answer
    }

    /// A browser that crashes keeps it; the box decides how long it is good for.
    private func cookie(_ value: String, age: Int = 7 * 86_400) -> String {
        "\(SessionKeeper.cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)"
            + (console.configuration.hasTLS ? "; Secure" : "")
    }
}
