import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// Who may sign in. Wardens and auditors see it, an admin changes it.
struct PeopleRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/people", method: .get) { request, _ in try await page(request) }
        router.on("/warden/do/people/create", method: .post) { request, _ in try await create(request) }
        router.on("/warden/do/people/activate", method: .post) { request, _ in try await setActive(request, true) }
        router.on("/warden/do/people/deactivate", method: .post) { request, _ in try await setActive(request, false) }
        router.on("/warden/do/people/password", method: .post) { request, _ in try await setPassword(request) }
        router.on("/warden/do/people/own-password", method: .post) { try await setOwnPassword($0, $1) }
        router.on("/warden/do/people/move", method: .post) { request, _ in try await move(request) }
        router.on("/warden/do/people/end-session", method: .post) { request, _ in try await endSession(request) }
        router.on("/warden/do/people/end-second-factor", method: .post) { try await endSecondFactor($0, $1) }
    }

    /// An account as `checkpost.people` gives it.
    private struct Account: Decodable, Sendable {
        var id: String
        var email: String
        var fullName: String
        var role: String
        var phoneNumber: String?
        var checkpost: String?
        var post: String?
        var isActive: Bool
        var lastSeen: Micros?
        var sessions: Int
        var hasSecondFactor: Bool
        /// The newest of them.
        var sessionList: [Session]

        struct Session: Decodable, Sendable {
            var id: String
            var began: Micros
            var last: Micros
        }
    }

    /// - Parameter form: what was typed in a form that was not taken, and what stands against it.
    private func page(
        _ request: Request, form: [String: String] = [:], status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (visit, found) = try await warden.read(request, for: .readersOfAll) { connection, _ in
            (
                accounts: try connection.object([Account].self, "select checkpost.people()", empty: "[]"),
                posts: try PostChoice.all(connection).filter { !$0.isShared }
            )
        }
        let texts = visit.texts
        var model: [String: Any] = form
        model["people"] = found.accounts.map { account -> [String: Any] in
            [
                "sessionList": Self.shown(account.sessionList, of: account, visit),
                "isMovable": account.role == "ranger",
                "posts": PostChoice.options(found.posts, chosen: account.post),
                "id": account.id, "email": account.email, "name": account.fullName,
                "about": [texts["role_" + account.role], account.checkpost, account.phoneNumber].compactMap(\.self)
                    .joined(separator: " · "),
                "seen": account.lastSeen.map { texts.short($0.instant, now: visit.now) } ?? texts["never"],
                "sessions": texts.digits("\(account.sessions)"), "isActive": account.isActive,
                "hasSecondFactor": account.hasSecondFactor,
                "isOwn": account.id == visit.session.claims.sub.lowercased(),
            ]
        }
        model["posts"] = PostChoice.options(found.posts, chosen: form["post"])
        return try warden.show("people", request, visit, model, at: "people", status: status)
    }

    private static func shown(_ sessions: [Account.Session], of account: Account, _ visit: WardenVisit) -> [[String:
        Any]]
    {
        sessions.map { session in
            let (began, last) = (session.began.instant, session.last.instant)
            let (texts, now) = (visit.texts, visit.now)
            return [
                "session": session.id, "account": account.id,
                "isThis": session.id == visit.session.claims.session_id.lowercased(),
                "about": texts("since", ["time": texts.short(began, now: now)])
                    + (last == began ? "" : " · " + texts["last_seen"] + " " + texts.short(last, now: now)),
            ]
        }
    }

    /// The page with a form that was not taken. A password is not sent back.
    private func again(_ request: Request, _ fields: Fields, _ problem: APIError, _ name: String) async throws
        -> Response
    {
        var form = [name: WardenProblem.said(problem, Warden.texts(request))]
        for field in ["username", "full_name", "phone", "post"] { form[field] = fields.exact(field) }
        return try await page(request, form: form, status: problem.status)
    }

    private static func isMendable(_ problem: APIError) -> Bool { [400, 404, 409, 422].contains(problem.status.code) }

    private func create(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let post = fields["post"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
        var account = ["username": fields["username"] ?? "", "full_name": fields["full_name"] ?? ""]
        account["password"] = fields.exact("password") ?? ""
        account["phone_number"] = fields["phone"]
        let wanted = account
        do {
            try await warden.change(request, fields, "create account", for: .admins) { connection, _ in
                let park = try PostChoice.all(connection).first { $0.id == post }?.park
                let json = wanted.merging(["assigned_checkpost_id": post ?? "", "assigned_park_id": park ?? ""]) { $1 }
                let text = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
                return try connection.run("select checkpost.create_ranger($1::jsonb) #>> '{user,id}'", [text]).scalar
                    ?? ""
            }
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, fields, problem, "problem")
        }
        return .redirect(to: "/warden/people?said=created")
    }

    private func account(_ fields: Fields) throws(APIError) -> String {
        guard let id = fields["id"].flatMap(UUID.init(uuidString:)) else {
            throw APIError(.notFound, "error_not_found", "There is no such account")
        }
        return id.uuidString.lowercased()
    }

    private func setActive(_ request: Request, _ isActive: Bool) async throws -> Response {
        let fields = try await warden.form(request)
        let id = try account(fields)
        do {
            let what = isActive ? "activate account" : "deactivate account"
            try await warden.change(request, fields, what, for: .admins) { connection, _ in
                _ = try connection.run(
                    "select checkpost.set_account_active($1::uuid, $2::boolean)", [id, isActive ? "true" : "false"])
                return id
            }
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, fields, problem, "accountProblem")
        }
        return .redirect(to: "/warden/people?said=" + (isActive ? "activated" : "deactivated"))
    }

    private func setPassword(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let id = try account(fields)
        let password = Secret(fields.exact("password") ?? "")
        do {
            try await warden.change(request, fields, "set password", for: .admins) { connection, _ in
                _ = try connection.run("select checkpost.set_password($1::uuid, $2)", [id, password.revealed])
                return id
            }
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, fields, problem, "accountProblem")
        }
        return .redirect(to: "/warden/people?said=password")
    }

    /// What one account is to become; the page comes back with what stands against it.
    ///
    /// - Parameter what: for the log.
    private func alter(
        _ request: Request, _ fields: Fields, _ what: String, said: String, _ sql: String, _ parameters: [String?]
    ) async throws -> Response {
        do {
            try await warden.change(request, fields, what, for: .admins) { connection, visit in
                _ = try connection.run(sql, parameters)
                return (parameters.first ?? nil) ?? visit.session.claims.sub
            }
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, fields, problem, "accountProblem")
        }
        return .redirect(to: "/warden/people?said=" + said)
    }

    private func move(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let post = fields["post"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
        return try await alter(
            request, fields, "move account", said: "moved", "select checkpost.move_account($1::uuid, $2::uuid)",
            [try account(fields), post])
    }

    private func endSession(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let session = fields["session"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw APIError(.notFound, "error_not_found", "There is no such session")
        }
        return try await alter(
            request, fields, "end session", said: "signed_out", "select checkpost.end_session($1::uuid, $2::uuid)",
            [try account(fields), session])
    }

    private func endSecondFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let fields = try await warden.form(request)
        let id = try account(fields)
        // One's own takes a code.
        guard id != warden.sessions.session(of: request, at: Warden.now)?.claims.sub.lowercased() else {
            return .redirect(to: SecondFactorRoutes.path)
        }
        return try await alter(
            request, fields, "turn second factor off", said: "second_factor_off",
            "select checkpost.end_second_factor($1::uuid, null)", [id])
    }

    /// Whoever sits at a page that was left open could guess the former password: as often as at the sign-in, and no more.
    private func setOwnPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let fields = try await warden.form(request)
        guard let session = warden.sessions.session(of: request, at: Warden.now) else {
            throw APIError(.unauthorized, "sign_in", "Nobody is signed in")
        }
        try warden.gateway.limitSignIn(session.email, address: context.address)
        let (former, new) = (Secret(fields.exact("former") ?? ""), Secret(fields.exact("password") ?? ""))
        do {
            let (visit, _) = try await warden.writeOwnAccount(request) { connection, _ in
                try connection.run(
                    "select checkpost.change_own_password($1, $2)", [former.revealed, new.revealed])
            }
            warden.gateway.journal.changed(
                "set own password", rows: [visit.session.claims.sub], by: visit.session.caller)
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, fields, problem, "ownProblem")
        }
        return .redirect(to: "/warden/people?said=own_password")
    }
}
