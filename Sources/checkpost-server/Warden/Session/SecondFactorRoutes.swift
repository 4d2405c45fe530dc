import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The second factor of the own sign-in of whoever reads all: the codes of an app on a telephone (TOTP, RFC 6238).
struct SecondFactorRoutes: Sendable {
    static let path = Warden.root + "/second-factor"

    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/second-factor", method: .get) { request, _ in try await page(request) }
        router.on("/warden/do/second-factor/begin", method: .post) { request, _ in try await begin(request) }
        router.on("/warden/do/second-factor/confirm", method: .post) { try await confirm($0, $1) }
        router.on("/warden/do/second-factor/end", method: .post) { try await end($0, $1) }
    }

    private struct State: Decodable, Sendable {
        var isBegun: Bool
        var isOn: Bool
    }

    /// - Parameter secret: in hexadecimal, when it was made just now: it is shown once.
    private func page(_ request: Request, secret: String? = nil, problem: APIError? = nil) async throws -> Response {
        let (visit, state) = try await warden.read(request, for: .readersOfAll) { connection, _ in
            try connection.object(State.self, "select checkpost.second_factor_state()")
        }
        var model: [String: Any] = ["isOn": state.isOn, "isBegun": state.isBegun && !state.isOn, "isOff": !state.isOn]
        model["problem"] = problem.map { WardenProblem.said($0, visit.texts) }
        if let secret, let bytes = Base32.bytes(hexadecimal: secret) {
            let text = Base32.text(bytes)
            model["secret"] = stride(from: 0, to: text.count, by: 4).map { text.dropFirst($0).prefix(4) }
                .joined(separator: " ")
            let label = "Checkpost:\(visit.session.email)".escapedForQuery
            model["address"] = "otpauth://totp/\(label)?secret=\(text)&issuer=Checkpost"
        }
        return try warden.show(
            "second-factor", request, visit, model, at: "people", status: problem?.status ?? .ok)
    }

    private func begin(_ request: Request) async throws -> Response {
        _ = try await warden.form(request)
        do {
            let (visit, secret) = try await warden.writeOwnAccount(request) { connection, _ in
                try connection.run("select checkpost.begin_second_factor()").scalar
            }
            warden.gateway.journal.changed(
                "begin second factor", rows: [visit.session.claims.sub], by: visit.session.caller)
            return try await page(request, secret: secret)
        } catch let problem as APIError where problem.status == .conflict {
            return try await page(request, problem: problem)
        }
    }

    private func confirm(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await withCode(
            request, context, "turn second factor on", "select checkpost.confirm_second_factor($1)",
            said: "second_factor_on"
        ) { code, _ in [code] }
    }

    private func end(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await withCode(
            request, context, "turn second factor off", "select checkpost.end_second_factor($2::uuid, $1)",
            said: "second_factor_off"
        ) { code, visit in [code, visit.session.claims.sub] }
    }

    /// What a code is needed for. Whoever sits at a page that was left open could guess one: as often as at the sign-in, and no more.
    private func withCode(
        _ request: Request, _ context: GatewayContext, _ what: String, _ sql: String, said: String,
        _ parameters: @escaping @Sendable (String, WardenVisit) -> [String?]
    ) async throws -> Response {
        let fields = try await warden.form(request)
        guard let session = warden.sessions.session(of: request, at: Warden.now) else {
            throw APIError(.unauthorized, "sign_in", "Nobody is signed in")
        }
        try warden.gateway.limitSignIn(session.email, address: context.address)
        let code = String((fields["code"] ?? "").prefix(20))
        do {
            let (visit, isTaken) = try await warden.writeOwnAccount(request) { connection, visit in
                try connection.run(sql, parameters(code, visit)).scalar == "t"
            }
            guard isTaken else {
                throw APIError(.unprocessableContent, "second_factor_refused", "The code is wrong")
            }
            warden.gateway.journal.changed(what, rows: [visit.session.claims.sub], by: visit.session.caller)
        } catch let problem as APIError where [.notFound, .unprocessableContent].contains(problem.status) {
            return try await page(request, problem: problem)
        }
        return .redirect(to: Self.path + "?said=" + said)
    }
}
