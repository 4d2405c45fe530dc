import Enforcement
import Foundation
import Hummingbird
import Pages

/// The violations of all posts.
struct ViolationRoutes: Sendable {
    let warden: Warden

    private static let pageSize = 50
    private static let filters = ["plate", "alike", "post", "kind", "type", "state", "from", "to"]
    /// No outcome yet, or which one.
    private static let states = ["open"] + Outcome.Kind.allCases.map(\.rawValue)

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/violations", method: .get) { request, _ in try await list(request, "violations") }
        router.on("/warden/fragments/violations", method: .get) { request, _ in
            try await list(request, "violation-rows")
        }
    }

    private func list(_ request: Request, _ template: String) async throws -> Response {
        let query = request.formQuery
        let filter = ListFilter(request)
        let kind = query.get("kind").flatMap(Violation.Kind.init(rawValue:))
        let state = query.get("state").map { String($0) }.flatMap { Self.states.contains($0) ? $0 : nil }
        let (visit, found) = try await warden.read(request) { connection, visit in
            var search = ListSearch(table: "violations", time: "exit_time")
            search.narrow(segment: visit.person.segment, filter)
            if let kind { search.add { "violation_type = \($0.bind(kind.rawValue, as: "text"))" } }
            if state == "open" {
                search.add { _ in "not exists (select from violation_outcomes o where o.violation_id = l.id)" }
            } else if let state {
                search.add {
                    "exists (select from violation_outcomes o where o.violation_id = l.id and o.outcome_type = \($0.bind(state, as: "text")))"
                }
            }
            let (list, parameters) = search.sql(limit: Self.pageSize + 1)
            return (
                rows: try connection.list(
                    ViolationRow.self,
                    """
                    select \(ViolationRow.columns) from (\(list)) v \(ViolationRow.joins) order by v.exit_time desc, v.id desc
                    """, parameters),
                posts: try PostChoice.all(connection)
            )
        }
        let texts = visit.texts
        let page = ListPage(found.rows, size: Self.pageSize)
        var model = page.model(request, "violations", Self.filters) { PageMark(time: $0.exit, id: $0.id) }
        model["rows"] = page.rows.compactMap { ViolationView($0, texts, now: visit.now) }
        filter.fill(&model, posts: found.posts, texts)
        model["kinds"] = Violation.Kind.allCases.map {
            Choice(value: $0.rawValue, text: texts["kind_" + $0.rawValue], isChosen: $0 == kind)
        }
        model["states"] = Self.states.map {
            Choice(value: $0, text: texts["outcome_" + $0], isChosen: $0 == state)
        }
        return try warden.show(template, request, visit, model, at: "violations")
    }
}
