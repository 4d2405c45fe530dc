import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The way in and out of the warden's page, with the server's accounts.
struct SignInRoutes: Sendable {
    let warden: Warden

    private var tickets: SignInTicket { SignInTicket(warden.gateway.settings) }

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/sign-in", method: .get) { request, _ in
            try form(request, next: request.formQuery.get("next"))
        }
        router.on("/warden/sign-in", method: .post) { request, context in try await signIn(request, context) }
        router.on("/warden/sign-in/code", method: .post) { request, context in try await signInSecond(request, context)
        }
        router.on("/warden/sign-out", method: .post) { request, _ in
            _ = try await warden.form(request)
            guard let session = warden.sessions.session(of: request, at: Warden.now) else {
                throw APIError(.unauthorized, "sign_in", "Nobody is signed in")
            }
            try await warden.gateway.transaction(as: session.caller, isOwnAccount: true) { connection in
                _ = try connection.run("select checkpost.sign_out('local')")
            }
            var answer = Response.redirect(to: Warden.root + "/sign-in")
            answer.headers[.setCookie] = warden.sessions.ended
            return answer
        }
        router.on("/warden/language", method: .post) { request, _ in
            let wanted = try await warden.form(request)["language"] ?? ""
            let page = request.comesFrom.flatMap { Warden.isPage($0) ? $0 : nil } ?? Warden.root
            var answer = Response.redirect(to: page)
            answer.headers[.setCookie] = warden.sessions.language(Texts.languages.contains(wanted) ? wanted : "en")
            return answer
        }
    }

    private func form(
        _ request: Request, next: String?, email: String? = nil, ticket: String? = nil, problem: APIError? = nil
    ) throws -> Response {
        let texts = Warden.texts(request)
        var token = warden.formToken(request)
        let new = token == nil ? warden.sessions.newVisit() : nil
        if let new { token = warden.sessions.formToken(visit: new.visit) }
        var model: [String: Any] = ["formToken": token?.text ?? ""]
        model["next"] = next.flatMap(Self.ownPage)
        model["email"] = email
        model["ticket"] = ticket
        model["problem"] = problem.map { Self.said($0, texts) }
        var answer = try Warden.page("sign-in", texts, model, status: problem?.status ?? .ok)
        if let cookie = new?.cookie { answer.headers[.setCookie] = cookie }
        if let seconds = problem?.retryAfterSeconds { answer.headers[.retryAfter] = String(seconds) }
        return answer
    }

    private static func said(_ problem: APIError, _ texts: Texts) -> String {
        switch problem.code {
        case "invalid_credentials": texts["sign_in_refused"]
        case "user_banned": texts["sign_in_closed"]
        case "over_request_rate_limit": texts["sign_in_too_many"]
        default: WardenProblem.said(problem, texts)
        }
    }

    /// A page of the warden's to go on to: another site's address is none.
    private static func ownPage(_ page: String) -> String? {
        let isOurs =
            Warden.isPage(page) && page.utf8.count <= 500
            && !page.split(separator: "/").contains { $0.hasPrefix("..") }
            && page.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") }
        return isOurs ? page : nil
    }

    private func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let fields = try await warden.form(request)
        let email = fields["email"] ?? ""
        let next = fields["next"].flatMap(Self.ownPage)
        do {
            switch try await attempt(email, Secret(fields.exact("password") ?? ""), context) {
            case .signedIn(let cookie): return Self.signedIn(cookie, next)
            case .needsCode(let account):
                return try form(request, next: next, ticket: tickets.issue(account: account, at: Warden.now))
            }
        } catch let problem as APIError where problem.status.code < 500 {
            warden.gateway.journal.refusedSignIn(email, because: problem.code, address: context.address)
            return try form(request, next: next, email: email, problem: problem)
        }
    }

    private static func signedIn(_ cookie: String, _ next: String?) -> Response {
        var answer = Response.redirect(to: next ?? Warden.root)
        answer.headers[.setCookie] = cookie
        return answer
    }

    /// The second step, for an account with a second factor.
    private func signInSecond(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let fields = try await warden.form(request)
        let next = fields["next"].flatMap(Self.ownPage)
        let ticket = fields["ticket"] ?? ""
        guard let account = tickets.account(ticket, at: Warden.now)?.uuidString.lowercased() else {
            let over = APIError(.unauthorized, "second_factor_too_late", "The sign-in took too long")
            return try form(request, next: next, problem: over)
        }
        do {
            try warden.gateway.limitSignIn(account, address: context.address)
            let code = String((fields["code"] ?? "").prefix(20))
            let outcome = try await verdict(
                "select checkpost.sign_in_second($1::uuid, $2, $3::interval)", [account, code])
            guard case .signedIn(let cookie) = outcome else {
                throw APIError(.unauthorized, "second_factor_refused", "The code is wrong")
            }
            return Self.signedIn(cookie, next)
        } catch let problem as APIError where problem.status.code < 500 {
            warden.gateway.journal.refusedSignIn(account, because: problem.code, address: context.address)
            return try form(request, next: next, ticket: ticket, problem: problem)
        }
    }

    /// What `checkpost.sign_in` answers.
    private struct Verdict: Decodable {
        struct User: Decodable {
            var id: String
            var email: String
        }

        var error: String?
        var message: String?
        /// Whose password was right, where a code is wanted, too.
        var account: UUID?
        var user: User?
        var session_id: String?
    }

    private enum Outcome {
        /// The cookie.
        case signedIn(String)
        case needsCode(UUID)
    }

    private func attempt(_ email: String, _ password: Secret, _ context: GatewayContext) async throws -> Outcome {
        guard (1...254).contains(email.utf8.count), (1...200).contains(password.revealed.utf8.count) else {
            throw APIError(.unauthorized, "invalid_credentials", "Invalid login credentials")
        }
        try warden.gateway.limitSignIn(email, address: context.address)
        return try await verdict("select checkpost.sign_in($1, $2, $3::interval)", [email, password.revealed])
    }

    /// - Parameter sql: a function of the database's; its last parameter is how long a session lasts.
    private func verdict(_ sql: String, _ parameters: [String]) async throws -> Outcome {
        let lifetime = "\(warden.gateway.settings.refreshTokenDays) days"
        let answer = try await warden.gateway.ownTransaction(isSignIn: true) { connection in
            try connection.run(sql, parameters + [lifetime]).scalar
        }
        let verdict = try JSONDecoder().decode(Verdict.self, from: Data((answer ?? "{}").utf8))
        if verdict.error == "second_factor_needed", let account = verdict.account { return .needsCode(account) }
        guard let user = verdict.user, let session = verdict.session_id else {
            throw APIError(.unauthorized, verdict.error ?? "invalid_credentials", verdict.message ?? "No sign-in")
        }
        return .signedIn(
            try warden.sessions.begin(account: user.id, email: user.email, session: session, at: Warden.now))
    }
}
