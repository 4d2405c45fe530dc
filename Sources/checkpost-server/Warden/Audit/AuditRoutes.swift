import Enforcement
import Foundation
import Hummingbird
import Pages

/// Who changed what, from what to what, and why. Nobody can change it here.
struct AuditRoutes: Sendable {
    let warden: Warden

    private static let pageSize = 50
    private static let filters = ["q", "subject", "from", "to"]

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/audit", method: .get) { request, _ in try await list(request, "audit") }
        router.on("/warden/fragments/audit", method: .get) { request, _ in try await list(request, "audit-rows") }
    }

    private func list(_ request: Request, _ template: String) async throws -> Response {
        let subject = request.formQuery.get("subject").flatMap { AuditRow.Subject(rawValue: String($0)) }
        let word = request.typed("q").trimmingCharacters(in: .whitespaces)
        let (days, before) = (DaySpan(request), PageMark(request, isID: AuditRow.isKey))
        let (visit, found) = try await warden.read(request) { connection, _ in
            (
                rows: try AuditRow.found(
                    connection, subject: subject, word: word.isEmpty ? nil : word, days: days, before: before,
                    limit: Self.pageSize + 1),
                posts: try PostChoice.all(connection)
            )
        }
        let texts = visit.texts
        let posts = Dictionary(found.posts.map { ($0.id, $0.code) }) { first, _ in first }
        let page = ListPage(found.rows, size: Self.pageSize)
        var model = page.model(request, "audit", Self.filters) { PageMark(time: $0.at, id: $0.key) }
        model["rows"] = page.rows.map { AuditView($0, posts: posts, texts) }
        model["filter"] = ["q": request.typed("q"), "from": request.typed("from"), "to": request.typed("to")]
        model["subjects"] = AuditRow.Subject.allCases.filter { visit.readsAll || !$0.isForReadersOfAll }.map {
            Choice(value: $0.rawValue, text: texts["audit_" + $0.rawValue], isChosen: $0 == subject)
        }
        return try warden.show(template, request, visit, model, at: "audit")
    }
}
