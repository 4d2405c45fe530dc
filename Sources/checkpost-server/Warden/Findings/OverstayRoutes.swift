import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// Vehicles that have not come out, and what an admin answers for them.
struct OverstayRoutes: Sendable {
    let warden: Warden

    private static let pageSize = 50
    private static let filters = ["plate", "alike", "post", "type", "state", "from", "to"]
    private static let states = ["open", "doubtful", "resolved", "all"]

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/overstays", method: .get) { request, _ in try await list(request, "overstays") }
        router.on("/warden/fragments/overstays", method: .get) { request, _ in try await list(request, "overstay-rows")
        }
        router.on("/warden/do/resolve", method: .post) { request, _ in try await resolve(request) }
    }

    private func list(
        _ request: Request, _ template: String, problem: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let query = request.formQuery
        let filter = ListFilter(request)
        // What is open is what somebody has to look for: it is what the page begins with.
        let state = query.get("state").map { String($0) }.flatMap { Self.states.contains($0) ? $0 : nil } ?? "open"
        let (visit, found) = try await warden.read(request) { connection, visit in
            var search = ListSearch(table: "proactive_overstay_alerts", time: "entry_time")
            search.narrow(segment: visit.person.segment, filter)
            switch state {
            case "open": search.add { _ in "not l.resolved" }
            case "doubtful": search.add { _ in "not l.resolved and l.is_doubtful" }
            case "resolved": search.add { _ in "l.resolved" }
            default: break
            }
            let (list, parameters) = search.sql(limit: Self.pageSize + 1)
            return (
                rows: try connection.list(
                    OverstayRow.self,
                    """
                    select \(OverstayRow.columns) from (\(list)) a join vehicle_passages p on p.id = a.entry_passage_id
                        join checkposts c on c.id = p.checkpost_id
                    order by a.entry_time desc, a.id desc
                    """, parameters),
                posts: try PostChoice.all(connection)
            )
        }
        let texts = visit.texts
        let page = ListPage(found.rows, size: Self.pageSize)
        var model = page.model(request, "overstays", Self.filters) { PageMark(time: $0.entry, id: $0.id) }
        model["rows"] = page.rows.map { OverstayView($0, texts, now: visit.now) }
        filter.fill(&model, posts: found.posts, texts)
        model["states"] = Self.states.map { Choice(value: $0, text: texts["overstay_" + $0], isChosen: $0 == state) }
        model["problem"] = problem
        return try warden.show(template, request, visit, model, at: "overstays", status: status)
    }

    private func resolve(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let id = fields["client_id"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw PassageRoutes.notFound
        }
        guard let reason = fields["reason"], reason.count <= 200 else {
            return try await list(
                request, "overstays", problem: Warden.texts(request)["error_reason"], status: .unprocessableContent)
        }
        try await warden.change(request, fields, "answer overstay alert") { connection, visit in
            let answer = [
                "client_id": id, "reason": reason, "acted_by": visit.person.fullName, "resolved_at": visit.now.iso8601,
            ]
            let json = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
            let isResolved = try connection.run("select checkpost.resolve_alert($1::jsonb) ->> 'resolved'", [json])
                .scalar
            guard isResolved == "true" else { throw APIError(.conflict, "error_gone", "The passage is gone") }
            // The first word holds: another one is not to be lost without a word.
            let holds = try connection.run(
                """
                select a.resolved_reason from proactive_overstay_alerts a join vehicle_passages p on p.id = a.entry_passage_id
                where p.client_id = $1::uuid
                """, [id]
            ).scalar
            guard holds == reason else { throw APIError(.conflict, "error_gone", "It was answered before") }
            return id
        }
        return .redirect(to: "/warden/overstays?said=resolved")
    }
}
