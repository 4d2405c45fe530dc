import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import ParkAPI

/// What the office lists for its posts: plates to watch for, and vehicles that raise no alarm. Posts ask for them every few minutes.
/// A ranger sees those of the own road; admins change them.
struct ListedPlateRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/lists", method: .get) { request, _ in try await page(request) }
        router.on("/warden/do/lists/add", method: .post) { request, _ in try await add(request) }
        router.on("/warden/do/lists/end", method: .post) { request, _ in try await end(request) }
    }

    private struct Road: Decodable, Sendable {
        var id: String
        var name: String
    }

    /// - Parameter form: what was typed in a form that was not taken, and what stands against it.
    private func page(
        _ request: Request, form: [String: String] = [:], status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (visit, found) = try await warden.read(request) { connection, _ in
            (
                rows: try ListedPlateRow.holding(connection),
                roads: try connection.list(
                    Road.self, "select s.id, s.name from highway_segments s order by s.name limit 500")
            )
        }
        let texts = visit.texts
        var model: [String: Any] = form
        model["lists"] = ListedPlate.Kind.allCases.map { kind -> [String: Any] in
            [
                "title": texts["list_" + kind.rawValue], "about": texts["list_about_" + kind.rawValue],
                "rows": found.rows.filter { $0.kind == kind.rawValue }.map { $0.view(visit) },
            ]
        }
        model["kinds"] = ListedPlate.Kind.allCases.map {
            Choice(value: $0.rawValue, text: texts["list_" + $0.rawValue], isChosen: $0.rawValue == form["kind"])
        }
        model["roads"] = found.roads.map { Choice(value: $0.id, text: $0.name, isChosen: $0.id == form["segment"]) }
        return try warden.show("lists", request, visit, model, at: "lists", status: status)
    }

    private func add(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        do {
            let plate = try Self.plate(fields)
            guard let kind = fields["kind"].flatMap(ListedPlate.Kind.init(rawValue:)) else {
                throw APIError(.unprocessableContent, "error_input", "There is no such list")
            }
            guard let reason = fields["reason"], reason.count <= ContractLimits.listReason else {
                throw APIError(.unprocessableContent, "error_list_reason", "A reason has 1 to 60 characters")
            }
            let road = fields["segment"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
            try await warden.change(request, fields, "list plate") { connection, _ in
                try connection.run(
                    "select checkpost.list_plate($1, $2, $3, $4::uuid)", [kind.rawValue, plate.canonical, reason, road]
                ).scalar ?? ""
            }
        } catch let problem as APIError where [400, 404, 409, 422].contains(problem.status.code) {
            var form = ["problem": WardenProblem.said(problem, Warden.texts(request))]
            for field in ["plate", "reason", "kind", "segment"] { form[field] = fields.exact(field) }
            return try await page(request, form: form, status: problem.status)
        }
        return .redirect(to: "/warden/lists?said=listed")
    }

    private static func plate(_ fields: Fields) throws(APIError) -> Plate {
        do throws(TypedPlateError) {
            return try PlateNormalizer.wholePlate(typed: fields["plate"] ?? "")
        } catch .part {
            throw APIError(.unprocessableContent, "error_plate_part", "That is no whole plate: \(TypedPlateError.part)")
        } catch {
            throw APIError(.unprocessableContent, "error_plate", "That is no plate: \(error)")
        }
    }

    private func end(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let id = fields["id"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw APIError(.notFound, "error_not_found", "There is no such listing")
        }
        try await warden.change(request, fields, "end listing") { connection, _ in
            _ = try connection.run("select checkpost.end_listing($1::uuid)", [id])
            return id
        }
        return .redirect(to: "/warden/lists?said=unlisted")
    }
}
