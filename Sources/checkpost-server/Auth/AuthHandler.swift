import Foundation
import HTTPTypes
import Hummingbird
import ParkAPI

/// `/auth/v1`: sign-in, refresh, sign-out and the management of users, in the shape that Supabase's clients know.
package struct AuthHandler: Sendable {
    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on(RouterPath(ParkPath.signIn), method: .post) { try await token($0, $1) }
        router.on("/auth/v1/user", method: .get) { request, _ in try await user(request) }
        router.on("/auth/v1/logout", method: .post) { request, _ in try await signOut(request) }
        router.on("/auth/v1/admin/users", method: .get) { request, _ in try await listUsers(request) }
        router.on("/auth/v1/admin/users", method: .post) { request, _ in try await createUser(request) }
        let one: RouterPath = "/auth/v1/admin/users/{id}"
        router.on(one, method: .get) { request, context in
            let id = try id(context)
            return try await admin(request, nil) {
                try $0.run("select checkpost.admin_get_user($1::uuid)", [id]).scalar
            }
        }
        router.on(one, method: .put) { request, context in
            let id = try id(context)
            let fields = try await fields(request)
            return try await admin(request, "update account \(id)") {
                try $0.run("select checkpost.admin_update_user($1::uuid, $2::jsonb)", [id, fields]).scalar
            }
        }
        router.on(one, method: .delete) { request, context in
            let id = try id(context)
            return try await admin(request, "delete account \(id)") {
                try $0.run("select checkpost.admin_delete_user($1::uuid)", [id])
                return "{}"
            }
        }
    }

    private func token(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let query = try QueryString(request.uri.query)
        let lifetime = "\(gateway.settings.refreshTokenDays) days"
        let answer: String?
        let email: String
        switch try query.only("grant_type") {
        case PasswordGrant.type:
            let grant = try await grant(
                request, PasswordGrant.self, missing: "email and password are needed",
                isShort: {
                    $0.email.utf8.count <= ContractLimits.email
                        && $0.password.revealed.utf8.count <= ContractLimits.password
                })
            email = grant.email
            do {
                try gateway.limitSignIn(email, address: context.address)
            } catch {
                gateway.journal.refusedSignIn(email, because: error.code, address: context.address)
                throw error
            }
            answer = try await gateway.ownTransaction(isSignIn: true) { connection in
                let said = try connection.run(
                    "select checkpost.sign_in($1, $2, $3::interval)", [grant.email, grant.password.revealed, lifetime]
                ).scalar
                guard let code = grant.code, let account = Self.accountThatNeedsCode(said) else { return said }
                return try connection.run(
                    "select checkpost.sign_in_second($1::uuid, $2, $3::interval)",
                    [account, String(code.prefix(20)), lifetime]
                ).scalar
            }
        case RefreshGrant.type:
            let grant = try await grant(
                request, RefreshGrant.self,
                missing: "\(RefreshGrant.CodingKeys.refreshToken.rawValue) is needed",
                isShort: { $0.refreshToken.revealed.utf8.count <= ContractLimits.password })
            email = "(refresh)"
            answer = try await gateway.ownTransaction(isSignIn: true) { connection in
                try connection.run(
                    "select checkpost.refresh_session($1, $2::interval)", [grant.refreshToken.revealed, lifetime]
                ).scalar
            }
        default:
            throw APIError(
                .badRequest, "unsupported_grant_type",
                "grant_type is \(PasswordGrant.type) or \(RefreshGrant.type)")
        }
        do {
            return try session(answer)
        } catch let error as APIError {
            gateway.journal.refusedSignIn(email, because: error.code, address: context.address)
            throw error
        }
    }

    private static func accountThatNeedsCode(_ said: String?) -> String? {
        guard let said, let fields = try? JSONValue(Data(said.utf8)), fields["error"]?.string == "second_factor_needed"
        else { return nil }
        return fields["account"]?.string
    }

    /// What somebody signs in with. Nobody is known yet, so nobody gets more memory than an address and a password need.
    private func grant<Grant: Decodable>(
        _ request: Request, _ type: Grant.Type, missing: String, isShort: (Grant) -> Bool
    ) async throws -> Grant {
        guard let grant = try await gateway.jsonObject(request, limit: 16_384, as: type), isShort(grant) else {
            throw APIError(.badRequest, "validation_failed", missing)
        }
        return grant
    }

    /// Turns what the database says about a sign-in into tokens, or into the error that it names.
    private func session(_ answer: String?) throws -> Response {
        guard let answer,
            let fields = try? JSONValue(Data(answer.utf8))
        else { throw APIError(.internalServerError, "unexpected_failure", "The sign-in gave no answer") }
        if let code = fields["error"]?.string {
            throw APIError(.badRequest, code, fields["message"]?.string ?? code)
        }
        guard let user = fields["user"]?.fields,
            let refreshToken = fields[ServerSession.CodingKeys.refreshToken.rawValue]?.string
        else {
            throw APIError(.internalServerError, "unexpected_failure", "The sign-in gave no user")
        }
        let now = Int64(Date().timeIntervalSince1970)
        let seconds = Int64(gateway.settings.accessTokenMinutes * 60)
        let claims: [String: JSONValue] = [
            "iss": .text("checkpost"), "aud": .text("authenticated"), "role": .text("authenticated"),
            "iat": .integer(now), "exp": .integer(now + seconds),
            "sub": user["id"] ?? .text(""), "email": user["email"] ?? .text(""),
            "session_id": fields["session_id"] ?? .text(""),
            "app_metadata": user["app_metadata"] ?? .object([:]),
            "user_metadata": user["user_metadata"] ?? .object([:]),
        ]
        return try json([
            ServerSession.CodingKeys.accessToken.rawValue: JSONValue.text(try gateway.signer.sign(claims)),
            "token_type": .text("bearer"), "expires_in": .integer(seconds), "expires_at": .integer(now + seconds),
            ServerSession.CodingKeys.refreshToken.rawValue: .text(refreshToken),
            ServerSession.CodingKeys.user.rawValue: .object(user),
        ])
    }

    private func user(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let user = try await gateway.transaction(as: caller, readsOnly: true) { connection in
            try connection.run("select checkpost.current_user_json()").scalar
        }
        guard let user else { throw APIError(.forbidden, "user_not_found", "The account is gone or not active") }
        return json(text: user)
    }

    private func signOut(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let scope = try QueryString(request.uri.query).only("scope") ?? "global"
        guard ["local", "others", "global"].contains(scope) else {
            throw APIError(.badRequest, "validation_failed", "scope is local, others or global")
        }
        try await gateway.transaction(as: caller, isOwnAccount: true) { connection in
            _ = try connection.run("select checkpost.sign_out($1)", [scope])
        }
        return Response(status: .noContent)
    }
}

extension AuthHandler {
    private func createUser(_ request: Request) async throws -> Response {
        let fields = try await fields(request)
        return try await admin(request, "create account") {
            try $0.run("select checkpost.admin_create_user($1::jsonb)", [fields]).scalar
        }
    }

    private func listUsers(_ request: Request) async throws -> Response {
        let query = try QueryString(request.uri.query)
        let page = try query.only("page").flatMap { Int32($0) } ?? 1
        let perPage = try query.only("per_page").flatMap { Int32($0) } ?? 50
        return try await admin(request, nil) {
            try $0.run("select checkpost.admin_list_users($1::int, $2::int)", [String(page), String(perPage)]).scalar
        }
    }

    private func id(_ context: GatewayContext) throws(APIError) -> String {
        guard let id = context.parameters.get("id").flatMap({ UUID(uuidString: $0) }) else {
            throw APIError(.notFound, "validation_failed", "The id of a user is a UUID")
        }
        return id.uuidString
    }

    private func fields(_ request: Request) async throws -> String {
        // Asked first: who isn't the service gets no further than this.
        try demandService(request)
        return try JSONValue.object(try await gateway.jsonObject(request)).text()
    }

    @discardableResult
    private func demandService(_ request: Request) throws(APIError) -> Caller {
        let caller = try gateway.knownCaller(request)
        guard caller.role == .service else {
            throw APIError(.forbidden, "not_admin", "This needs the service role's key")
        }
        return caller
    }

    /// - Parameter change: what it changes, for the log.
    private func admin(
        _ request: Request, _ change: String?, _ body: @escaping @Sendable (PostgresConnection) throws -> String?
    ) async throws -> Response {
        let caller = try demandService(request)
        do {
            let answer = try await gateway.transaction(as: caller, body) ?? "{}"
            if let change { gateway.journal.changed(change, rows: [], count: 1, by: caller) }
            return json(text: answer)
        } catch var error as APIError {
            // The rules in SQL put the code that clients know into the detail.
            if error.code.hasPrefix("PT") { error.code = error.details ?? "validation_failed" }
            throw error
        }
    }
}
