import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The warden's page: what the park's office sees of all posts, and what it corrects. An admin sees all; a ranger sees the own segment and
/// changes nothing.
///
/// Every read and every change runs in the role and with the claims of whoever is signed in, as a request to the API would: what a page
/// shows is what row level security lets that account see.
package struct Warden: Sendable {
    static let root = "/warden"

    let gateway: Gateway
    let sessions: WardenSessions

    package init(_ gateway: Gateway) {
        self.gateway = gateway
        sessions = WardenSessions(gateway.settings)
    }

    /// Whether the router takes this path to a page: it passes over empty parts, as in `//warden`.
    package static func serves(_ path: String) -> Bool { path.split(separator: "/").first == root.dropFirst() }

    /// Whether a browser may be sent to this path. `//warden` is the root of another host.
    package static func isPage(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on("/", method: .get) { _, _ in Response.redirect(to: Self.root) }
        let assets = [
            "pages.js": PageAsset.script, "icon.svg": PageAsset.icon,
            "warden.js": PageAsset(PackageResources.warden_js, "text/javascript; charset=utf-8"),
        ]
        for (name, asset) in assets {
            router.on("/warden/static/\(name)", method: .get) { request, _ in asset.answer(request) }
        }
        SignInRoutes(warden: self).add(to: router)
        TodayRoutes(warden: self).add(to: router)
        EventRoutes(warden: self).add(to: router)
        FigureRoutes(warden: self).add(to: router)
        WorkRoutes(warden: self).add(to: router)
        CheckRoutes(warden: self).add(to: router)
        let passages = PassageRoutes(warden: self)
        passages.add(to: router)
        OutcomeRoutes(warden: self, passages: passages).add(to: router)
        ViolationRoutes(warden: self).add(to: router)
        EvidenceRoutes(warden: self).add(to: router)
        NoticeRoutes(warden: self).add(to: router)
        OverstayRoutes(warden: self).add(to: router)
        ListedPlateRoutes(warden: self).add(to: router)
        RoadRoutes(warden: self).add(to: router)
        PostRoutes(warden: self).add(to: router)
        MessageRoutes(warden: self).add(to: router)
        AuditRoutes(warden: self).add(to: router)
        PeopleRoutes(warden: self).add(to: router)
        SecondFactorRoutes(warden: self).add(to: router)
    }

    static var now: Instant { Instant(seconds: Date().timeIntervalSince1970) }

    static func texts(_ request: Request) -> Texts { Texts.of(request.cookies[WardenSessions.languageName]?.value) }

    /// - Throws: 401 when nobody is signed in.
    private func session(_ request: Request) throws(APIError) -> WardenSessions.Session {
        guard let session = sessions.session(of: request, at: Self.now) else {
            throw APIError(.unauthorized, "sign_in", "Nobody is signed in")
        }
        RequestShare.current?.caller = session.caller
        return session
    }

    /// What `body` reads, in one snapshot, with the rights of whoever is signed in.
    func read<Value: Sendable>(
        _ request: Request, for audience: WardenVisit.Audience = .everybody,
        _ body: @escaping @Sendable (PostgresConnection, WardenVisit) throws -> Value
    ) async throws -> (visit: WardenVisit, value: Value) {
        try await visit(request, for: audience, readsOnly: true, body)
    }

    /// What a function about the own account changes, for whoever reads all; whoever asks says for the log what was changed.
    func writeOwnAccount<Value: Sendable>(
        _ request: Request, _ body: @escaping @Sendable (PostgresConnection, WardenVisit) throws -> Value
    ) async throws -> (visit: WardenVisit, value: Value) {
        try await visit(request, for: .readersOfAll, readsOnly: false, isOwnAccount: true, body)
    }

    /// What `body` changes, for a warden who sent a form of ours. The server's log says who did it.
    ///
    /// - Parameters:
    ///   - audience: who may; the functions of the database decide again.
    ///   - what: for the log: `set password`, say.
    ///   - body: returns the id of what it changed.
    func change(
        _ request: Request, _ fields: Fields, _ what: String, for audience: WardenVisit.Audience = .wardens,
        _ body: @escaping @Sendable (PostgresConnection, WardenVisit) throws -> String
    ) async throws {
        let (visit, row) = try await visit(request, for: audience, readsOnly: false, body)
        gateway.journal.changed(what, rows: [row], by: visit.session.caller)
    }

    /// The same where it is wanted what comes of it; whoever asks says for the log what was changed.
    func write<Value: Sendable>(
        _ request: Request, for audience: WardenVisit.Audience = .wardens,
        _ body: @escaping @Sendable (PostgresConnection, WardenVisit) throws -> Value
    ) async throws -> (visit: WardenVisit, value: Value) {
        try await visit(request, for: audience, readsOnly: false, body)
    }

    private func visit<Value: Sendable>(
        _ request: Request, for audience: WardenVisit.Audience, readsOnly: Bool, isOwnAccount: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection, WardenVisit) throws -> Value
    ) async throws -> (visit: WardenVisit, value: Value) {
        let session = try session(request)
        let (token, texts, now) = (sessions.formToken(session), Self.texts(request), Self.now)
        return try await gateway.transaction(
            as: session.caller, readsOnly: readsOnly, readsReplica: readsOnly, isOwnAccount: isOwnAccount
        ) { connection in
            let visit = WardenVisit(
                session: session, person: try WardenVisit.person(connection), formToken: token, texts: texts, now: now)
            guard visit.belongs(to: audience) else {
                throw APIError(.forbidden, "error_forbidden", "This page is for others")
            }
            return (visit, try body(connection, visit))
        }
    }

    /// The token of forms of this browser: of whoever is signed in, else of the visitor; nil where neither is known.
    func formToken(_ request: Request) -> FormToken? {
        let session = sessions.session(of: request, at: Self.now)
        return session.map(sessions.formToken) ?? sessions.visit(of: request).map(sessions.formToken(visit:))
    }

    /// The fields of a form that a page of ours sent, of whoever is signed in, or of a visitor of the sign-in page.
    func form(_ request: Request) async throws -> Fields {
        do {
            let fields = try Fields(form: try await gateway.body(request, limit: 16_384, weight: 4))
            guard PageSafety.isOwn(request), let token = formToken(request), let sent = fields["form_token"],
                token.matches(sent)
            else {
                throw PageError.foreignForm
            }
            return fields
        } catch let error as PageError {
            throw APIError(error.status, error.text, error.detail ?? "The form is too old or came from elsewhere")
        }
    }

    /// A page of somebody who is signed in.
    ///
    /// - Parameter place: which part of the navigation it is.
    func show(
        _ template: String, _ request: Request, _ visit: WardenVisit, _ model: [String: Any] = [:],
        at place: String = "",
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var model = model
        model["user"] = visit.person.fullName
        model["isAdmin"] = visit.isAdmin
        model["isWarden"] = visit.isWarden
        model["readsAll"] = visit.readsAll
        model["formToken"] = visit.formToken.text
        model["at"] = [place: true]
        for name in ["dismiss", "correct", "withdraw", "part", "outcome", "back"] {
            model["reasons" + name.capitalized] = visit.texts["reasons_" + name].split(separator: "|").map(String.init)
        }
        // An address that somebody made up says nothing.
        if let said = request.formQuery.get("said"), let text = visit.texts.all["said_" + said] { model["said"] = text }
        var answer = try Self.page(template, visit.texts, model, status: status)
        // Whoever goes from page to page stays signed in; a page that keeps itself fresh doesn't do it for them.
        if !request.uri.path.hasPrefix(Self.root + "/fragments/"),
            let cookie = try sessions.renewed(visit.session, at: visit.now)
        {
            answer.headers[.setCookie] = cookie
        }
        return answer
    }

    /// A page with what all of them know.
    static func page(
        _ template: String, _ texts: Texts, _ model: [String: Any], status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var model = model
        model["t"] = texts.all
        model["root"] = root
        model["language"] = texts.language
        model["otherLanguage"] = texts.otherLanguage
        model["style"] = PageStyle.text
        guard let text = WardenTemplates.all.render(template, model) else {
            throw APIError(.internalServerError, "error_internal", "The template \(template) is missing")
        }
        return html(text, status: status)
    }
}
