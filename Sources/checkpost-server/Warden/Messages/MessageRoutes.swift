import Hummingbird
import Pages

/// Texts that came, with what became of each: for those who read all.
struct MessageRoutes: Sendable {
    let warden: Warden

    private static let pageSize = 50
    private static let filters = ["q", "result", "from", "to"]

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/texts", method: .get) { request, _ in try await list(request, "texts") }
        router.on("/warden/fragments/texts", method: .get) { request, _ in try await list(request, "text-rows") }
    }

    private func list(_ request: Request, _ template: String) async throws -> Response {
        let result = request.formQuery.get("result").flatMap(MessageRow.Result.init(rawValue:))
        let word = request.typed("q").trimmingCharacters(in: .whitespaces)
        let (days, before) = (DaySpan(request), PageMark(request))
        let (visit, rows) = try await warden.read(request, for: .readersOfAll) { connection, _ in
            try MessageRow.found(
                connection, result: result, word: word, days: days, before: before, limit: Self.pageSize + 1)
        }
        let texts = visit.texts
        let page = ListPage(rows, size: Self.pageSize)
        var model = page.model(request, "texts", Self.filters) { PageMark(time: $0.at, id: $0.id) }
        model["rows"] = page.rows.map { MessageView($0, texts, now: visit.now) }
        model["filter"] = ["q": request.typed("q"), "from": request.typed("from"), "to": request.typed("to")]
        model["results"] = MessageRow.Result.allCases.map {
            Choice(value: $0.rawValue, text: texts["text_" + $0.rawValue], isChosen: $0 == result)
        }
        return try warden.show(template, request, visit, model, at: "texts")
    }
}
