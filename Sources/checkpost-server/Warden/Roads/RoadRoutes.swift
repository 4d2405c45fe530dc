import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The roads: where they lie, what vehicles are judged by, and changes of it, now or from a day on. Everybody who is signed in sees them; admins
/// change them, after they have seen what a change does.
struct RoadRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/roads", method: .get) { request, _ in try await page(request) }
        router.on("/warden/road", method: .get) { request, _ in try await effect(request) }
        router.on("/warden/do/roads/change", method: .post) { request, _ in try await change(request) }
        router.on("/warden/do/roads/add", method: .post) { request, _ in try await make(request) }
        router.on("/warden/do/roads/drop", method: .post) { request, _ in try await drop(request) }
    }

    /// - Parameter form: what was typed in a form that was not taken, and what stands against it.
    private func page(
        _ request: Request, form: [String: String] = [:], status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (visit, roads) = try await warden.read(request) { connection, _ in try Road.all(connection) }
        let texts = visit.texts
        var model: [String: Any] = ["roads": roads.map { shown($0, form, visit) }]
        NewRoad.fill(&model, form, roads, texts)
        if let map = RoadMap(roads) {
            model["map"] = ["lines": map.lines, "points": map.points] as [String: Any]
            model["mapLabel"] = texts("road_map", ["roads": roads.map(\.name).joined(separator: ", ")])
        }
        return try warden.show("roads", request, visit, model, at: "roads", status: status)
    }

    private func shown(_ road: Road, _ form: [String: String], _ visit: WardenVisit) -> [String: Any] {
        let texts = visit.texts
        let isTyped = form["road"] == road.id
        var model: [String: Any] = [
            "id": road.id, "name": road.name, "park": road.park,
            "posts": road.posts.map { post in
                "\(post.code) \(post.name)"
                    + (post.standsAt.map { " (" + texts("stands_at", ["post": $0]) + ")" } ?? "")
            }.joined(separator: " – "),
            "postLinks": road.posts.filter { $0.standsAt == nil }.map {
                ["code": $0.code, "query": $0.code.escapedForQuery]
            },
            "facts": road.numbers.rows(texts).map { ["name": $0.name, "value": $0.value] },
            "plans": road.plans.map { plan -> [String: Any] in
                [
                    "id": plan.id, "reason": plan.reason, "by": plan.by ?? texts["a_program"],
                    "from": texts.moment(plan.effectiveAt.instant),
                    "changes": Self.differences(road.numbers, plan.numbers, texts),
                ]
            },
        ]
        let typed = isTyped ? road.numbers.typed.merging(form) { $1 } : road.numbers.typed
        model["inputs"] = RoadNumbers.fields.map { field in
            [
                "field": field, "label": texts["field_" + field], "value": typed[field] ?? "",
                "unit": texts[RoadNumbers.units[field] ?? ""],
            ]
        }
        model["typeInputs"] = VehicleType.allCases.map { type in
            let field = RoadNumbers.typeField(type)
            return ["field": field, "label": texts["type_" + type.rawValue], "value": typed[field] ?? ""]
        }
        model["hourInputs"] = RoadHours.inputs(isTyped ? form : road.numbers.hourLimits.typed, texts)
        model["hoursOpen"] = !road.numbers.hourLimits.isEmpty || isTyped
        model["certificate"] = isTyped ? form["distance_certificate"] : road.numbers.distanceCertificate
        model["typesOpen"] = !road.numbers.typeSpeedsKmh.kmh.isEmpty || isTyped
        model["reason"] = isTyped ? form["reason"] : nil
        model["from"] = isTyped ? form["from"] : nil
        model["problem"] = isTyped ? form["problem"] : nil
        return model
    }

    private static func differences(_ before: RoadNumbers, _ after: RoadNumbers, _ texts: Texts) -> [String] {
        zip(before.rows(texts), after.rows(texts)).filter { $0.value != $1.value }.map {
            "\($0.name): \($0.value) → \($1.value)"
        }
    }

    private struct Effect: Decodable, Sendable {
        var name: String
        var before: RoadNumbers
        var after: RoadNumbers
        var inside: Int
        var late: Int
        var spared: Int
    }

    private static func isMendable(_ problem: APIError) -> Bool { [409, 422].contains(problem.status.code) }

    /// The page with a form that was not taken.
    private func again(_ request: Request, _ form: [String: String], _ problem: APIError) async throws -> Response {
        let said = ["problem": WardenProblem.said(problem, Warden.texts(request))]
        return try await page(request, form: form.merging(said) { $1 }, status: problem.status)
    }

    /// What a change would do, and the button that makes it.
    private func effect(_ request: Request) async throws -> Response {
        let form = WantedRoad.form { request.typed($0, most: 300) }
        do {
            let wanted = try WantedRoad(form)
            let (visit, effect) = try await warden.read(request, for: .admins) { connection, _ in
                try connection.object(
                    Effect.self, "select checkpost.road_if($1::uuid, $2::jsonb)", [wanted.road, wanted.numbers])
            }
            let texts = visit.texts
            guard effect.before != effect.after else {
                throw APIError(.conflict, "error_road_same", "That is how the road is")
            }
            var model: [String: Any] = ["name": effect.name, "reason": wanted.reason]
            model["hidden"] = wanted.form.map { ["name": $0.key, "value": $0.value] }.sorted {
                ($0["name"] ?? "") < ($1["name"] ?? "")
            }
            model["rows"] = zip(effect.before.rows(texts), effect.after.rows(texts)).map {
                ["name": $0.name, "before": $0.value, "after": $1.value, "isOther": $0.value != $1.value]
                    as [String: Any]
            }
            model["from"] = wanted.from.map(texts.moment) ?? texts["road_at_once"]
            model["inside"] = texts("road_inside", ["count": texts.digits("\(effect.inside)")])
            model["late"] = effect.late > 0 ? texts("road_late", ["count": texts.digits("\(effect.late)")]) : nil
            model["spared"] =
                effect.spared > 0 ? texts("road_spared", ["count": texts.digits("\(effect.spared)")]) : nil
            // One change, however often its button is pressed.
            model["change"] = UUID().uuidString.lowercased()
            return try warden.show("road", request, visit, model, at: "roads")
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, form, problem)
        }
    }

    private func change(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let form = WantedRoad.form { fields.exact($0) }
        guard let id = fields["change"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw APIError(.badRequest, "error_input", "The form has no change")
        }
        do {
            let wanted = try WantedRoad(form)
            let (visit, answer) = try await warden.write(request, for: .admins) { connection, _ in
                try connection.run(
                    """
                    select checkpost.change_road(jsonb_build_object('id', $1::text, 'road', $2::text, 'wanted', $3::jsonb,
                        'reason', $4::text, 'effective_at', $5::text))
                    """, [id, wanted.road, wanted.numbers, wanted.reason, wanted.from?.iso8601]
                ).scalar
            }
            warden.gateway.journal.changed("change road", rows: [wanted.road], by: visit.session.caller)
            return .redirect(to: "/warden/roads?said=" + (answer == "planned" ? "road_planned" : "road_changed"))
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, form, problem)
        }
    }

    private func make(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let form = NewRoad.form { fields.exact($0) }
        do {
            let road = try NewRoad(form)
            try await warden.change(request, fields, "make road", for: .admins) { connection, _ in
                try connection.run("select checkpost.add_road($1::jsonb)", [try road.json]).scalar ?? ""
            }
        } catch let problem as APIError where Self.isMendable(problem) {
            return try await again(request, form, problem)
        }
        return .redirect(to: "/warden/roads?said=road_added")
    }

    private func drop(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let id = fields["id"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw APIError(.notFound, "error_not_found", "There is no such plan")
        }
        try await warden.change(request, fields, "drop planned change of road", for: .admins) { connection, _ in
            _ = try connection.run("select checkpost.drop_road_plan($1::uuid)", [id])
            return id
        }
        return .redirect(to: "/warden/roads?said=road_dropped")
    }
}
