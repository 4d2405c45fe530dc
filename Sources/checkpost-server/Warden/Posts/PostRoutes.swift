import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Modem
import Pages
import ParkAPI

/// What the office sets for one post: it holds there over the post's file.
struct PostRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/post", method: .get) { request, _ in
            try await page(of: request.typed("code", most: 100), request)
        }
        router.on("/warden/do/post", method: .post) { request, _ in try await set(request) }
        router.on("/warden/do/post/key", method: .post) { request, _ in try await setKey(request) }
        router.on("/warden/do/post/ask", method: .post) { request, _ in try await ask(request) }
    }

    private static let notFound = APIError(.notFound, "error_not_found", "There is no such post")

    /// - Parameter form: what was typed in a form that was not taken, by field, and what stands against it.
    private func page(
        of code: String, _ request: Request, form: [String: String]? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (visit, (post, keys, questions)) = try await warden.read(request, for: .readersOfAll) { connection, _ in
            guard let post = try PostSettings.of(code, connection) else { throw Self.notFound }
            return (
                post, try TextKeyState.of(post.id, connection), try PostQuestions.of(post.id, connection)
            )
        }
        let texts = visit.texts
        var model: [String: Any] = ["code": post.code, "name": post.name, "was": form?["was"] ?? post.version]
        model["updated"] = post.updated.map { texts.moment($0.instant) }
        model["inputs"] = PostSetting.all.map { setting in
            let held = post.typed(setting)
            let value = form.map { $0[setting.name] ?? "" } ?? held
            var input: [String: Any] = [
                "field": setting.name, "label": setting.label(texts), "hint": setting.hint(texts), "value": value,
                "mode": setting.value == .phone ? "tel" : "decimal", "isTyped": !held.isEmpty,
            ]
            // Whoever types over what holds sees it.
            if value != held { input["holds"] = held.isEmpty ? texts["post_file"] : held }
            return input
        }
        model["signing"] = keys.model(texts)
        model["asking"] = questions.model(
            texts, isPossible: keys.inForce.contains { $0.takenAt != nil }, missing: keys.missing,
            hasModem: warden.gateway.settings.textModem != nil)
        model["reason"] = form?["reason"]
        model["problem"] = form?["problem"]
        return try warden.show("post", request, visit, model, at: "roads", status: status)
    }

    private func set(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let code = fields["code"] ?? ""
        func again(_ problem: String, status: HTTPResponse.Status = .unprocessableContent) async throws -> Response {
            var form = ["problem": problem]
            for name in PostSetting.all.map(\.name) + ["reason"] { form[name] = fields.exact(name) }
            // Whoever was slower may say it again, over what holds now.
            if status != .conflict { form["was"] = fields.exact("was") }
            return try await page(of: code, request, form: form, status: status)
        }
        let texts = Warden.texts(request)
        guard let was = fields["was"] else {
            throw APIError(.unprocessableContent, "error_input", "was is missing")
        }
        guard let reason = fields["reason"], reason.unicodeScalars.count <= 200 else {
            return try await again(texts["error_reason"])
        }
        do {
            try await warden.change(request, fields, "set settings of a post", for: .admins) { connection, _ in
                guard let post = try PostSettings.of(code, connection) else { throw Self.notFound }
                try connection.run(
                    """
                    select checkpost.put_settings(jsonb_build_object('checkpost', $1::text, 'settings', $2::jsonb, 'was', $3::text,
                        'reason', $4::text))
                    """, [post.id, try post.replaced { fields[$0.name] }, was, reason])
                return post.id
            }
        } catch let mistake as PostSettings.Mistake {
            let setting = mistake.setting
            return try await again(
                texts("error_setting", ["name": setting.label(texts), "range": setting.hint(texts)]))
        } catch let problem as APIError where problem.status == .conflict {
            return try await again(WardenProblem.said(problem, texts), status: .conflict)
        }
        return .redirect(to: "/warden/post?code=\(code.escapedForQuery)&said=post_set")
    }

    /// Makes a key for the post's signed texts, or ends some.
    private func setKey(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let code = fields["code"] ?? ""
        guard let was = fields["was"], let action = fields["action"],
            let reason = fields["reason"], reason.unicodeScalars.count <= 200
        else {
            throw APIError(.unprocessableContent, "error_reason", "A reason is needed")
        }
        try await warden.change(request, fields, "set keys for a post's texts", for: .admins) { connection, _ in
            guard let post = try PostSettings.of(code, connection) else { throw Self.notFound }
            try connection.run(
                """
                select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', $2::text, 'was', $3::text,
                    'reason', $4::text))
                """, [post.id, action, was, reason])
            return post.id
        }
        return .redirect(to: "/warden/post?code=\(code.escapedForQuery)&said=text_key")
    }

    /// Asks the post something by SMS: the server's modem sends it where it has one and a number is typed, somebody from a phone else.
    private func ask(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let (code, typed) = (fields["code"] ?? "", fields["phone"] ?? "")
        let phone = PhoneNumber(typed)
        guard let wish = fields["wish"], phone != nil || typed.isEmpty else {
            throw APIError(.unprocessableContent, "error_phone", "\(typed) is no number")
        }
        try await warden.change(request, fields, "ask a post by SMS", for: .admins) { connection, _ in
            guard let post = try PostSettings.of(code, connection) else { throw Self.notFound }
            try connection.run(
                "select checkpost.ask_post(jsonb_build_object('checkpost', $1::text, 'wish', $2::text, 'phone', $3::text))",
                [post.id, wish, phone?.description])
            return post.id
        }
        return .redirect(to: "/warden/post?code=\(code.escapedForQuery)&said=asked")
    }
}
