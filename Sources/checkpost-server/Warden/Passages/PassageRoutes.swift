import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// What was recorded: lists, one passage with its picture and history, and what an admin corrects of it.
struct PassageRoutes: Sendable {
    let warden: Warden

    static let pageSize = 50
    private static let filters = ["plate", "alike", "post", "type", "state", "from", "to"]

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/passages", method: .get) { request, _ in try await list(request, "passages") }
        router.on("/warden/fragments/passages", method: .get) { request, _ in try await list(request, "passage-rows") }
        router.on("/warden/passage", method: .get) { request, _ in
            guard let id = request.formQuery.get("id").flatMap(UUID.init(uuidString:)) else {
                throw Self.notFound
            }
            return try await page(of: id.uuidString.lowercased(), request)
        }
        router.on("/warden/photos/{name}", method: .get) { request, context in
            guard let session = warden.sessions.session(of: request, at: Warden.now) else {
                throw APIError(.unauthorized, "sign_in", "Nobody is signed in")
            }
            let name = (context.parameters.get("name") ?? "").lowercased()
            let form = request.formQuery.get("as").flatMap(PhotoHandler.Form.init(rawValue:)) ?? .whole
            return try await PhotoHandler(warden.gateway).photo(name, as: session.caller, form: form)
        }
        router.on("/warden/do/correct", method: .post) { request, _ in try await change(request, isWithdrawal: false) }
        router.on("/warden/do/withdraw", method: .post) { request, _ in try await change(request, isWithdrawal: true) }
    }

    static let notFound = APIError(.notFound, "error_not_found", "There is no such passage")

    private func list(_ request: Request, _ template: String) async throws -> Response {
        let filter = ListFilter(request)
        let search = PassageSearch(filter, state: request.formQuery.get("state"))
        let (visit, found) = try await warden.read(request) { connection, visit in
            (
                rows: try PassageRow.found(connection, search, limit: Self.pageSize + 1),
                posts: try PostChoice.all(connection)
            )
        }
        let texts = visit.texts
        let page = ListPage(found.rows, size: Self.pageSize)
        var model = page.model(request, "passages", Self.filters) { PageMark(time: $0.at, id: $0.id) }
        model["rows"] = page.rows.map { PassageView($0, texts, now: visit.now) }
        filter.fill(&model, posts: found.posts, texts)
        model["states"] = PassageSearch.State.allCases.map {
            Choice(value: $0.rawValue, text: texts["state_" + $0.rawValue], isChosen: $0 == search.state)
        }
        return try warden.show(template, request, visit, model, at: "passages")
    }

    func page(
        of id: String, _ request: Request, form: [String: String] = [:], status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (visit, found) = try await warden.read(request) {
            connection, visit -> (PassageRow, PassageDetail, [PassageRow]) in
            let row = try connection.list(
                PassageRow.self,
                """
                select \(PassageRow.columns) from vehicle_passages p join checkposts c on c.id = p.checkpost_id where p.id = $1::uuid
                """, [id]
            ).first
            guard let row, let detail = try PassageDetail.of(id, connection) else { throw Self.notFound }
            var history = PassageSearch()
            history.plate = row.plate
            return (row, detail, try PassageRow.found(connection, history, limit: 20))
        }
        let (row, detail, history) = found
        let (texts, now) = (visit.texts, visit.now)
        let passage = PassageView(row, texts, now: now)
        var model: [String: Any] = form
        model["passage"] = passage
        model["photo"] = detail.photo.map {
            PicturedPassage(passage: row, photo: $0).picture(texts, now: now)
        }
        model["photoless"] = texts[detail.hadPhoto ? "photo_gone" : "no_photo"]
        model["raw"] = row.raw.isEmpty ? "–" : row.raw
        model["sureText"] = detail.confidence.map { texts.digits("\(Int(($0 * 100).rounded())) %") } ?? texts["typed"]
        model["clockText"] = detail.clockState.map { texts["clock_" + $0] } ?? texts["unknown"]
        model["travelText"] = detail.travel.map { texts["travel_" + $0] }
        model["actedBy"] = detail.actedBy ?? texts["nobody"]
        model["received"] = texts.short(detail.received.instant, now: now)
        if let other = detail.counterpart {
            let place = other.post + " " + texts.short(other.at.instant, now: now)
            model["counterpart"] = ["id": other.id, "text": place]
            model["otherPhoto"] = other.photo?.model(of: other.id, place, texts)
        }
        if let violation = detail.violation, let view = ViolationView(violation, texts, now: now) {
            model["violation"] = view
            let holds = violation.outcome?.outcome
            let kind = form["typedKind"].flatMap(Outcome.Kind.init(rawValue:)) ?? holds?.kind
            model["outcomeKinds"] = Outcome.Kind.allCases.map {
                Choice(value: $0.rawValue, text: texts["outcome_" + $0.rawValue], isChosen: $0 == kind)
            }
            model["was"] = form["was"] ?? "\(detail.outcomeChange ?? 0)"
            if form["opensOutcome"] == nil {
                model["typedFine"] = holds?.fineAmount.map(Outcome.sum)
                model["typedNotes"] = holds?.notes
            }
        }
        model["changes"] = detail.changes.map { Self.said($0, texts, now: now) }
        model["history"] = history.filter { $0.id != id }.map { PassageView($0, texts, now: now) }
        // One change, however often its button is pressed.
        model["changeID"] = UUID().uuidString.lowercased()
        if model["typedPlate"] == nil { model["typedPlate"] = passage.plate }
        let chosen = form["typedType"].flatMap(VehicleType.init(rawValue:)) ?? VehicleType(rawValue: row.type)
        model["types"] = Choice.types(chosen, texts)
        return try warden.show("passage", request, visit, model, at: "passages", status: status)
    }

    static func said(_ change: PassageDetail.Change, _ texts: Texts, now: Instant) -> String {
        texts.short(change.at.instant, now: now) + ": "
            + texts(
                "change_" + change.kind,
                [
                    "old": StoredPlate.text(change.old),
                    "new": change.new.map(StoredPlate.text) ?? "",
                    "reason": change.reason, "actor": change.by ?? texts["nobody"],
                ])
    }

    /// Corrects or withdraws through `checkpost.change_passage`, which judges anew and writes down what was there before.
    private func change(_ request: Request, isWithdrawal: Bool) async throws -> Response {
        let fields = try await warden.form(request)
        guard let id = fields["id"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw Self.notFound
        }
        do {
            let order = try PassageOrder(fields, isWithdrawal: isWithdrawal)
            try await warden.change(request, fields, isWithdrawal ? "withdraw passage" : "correct passage") {
                connection, visit in
                guard let clientID = try PassageDetail.clientID(of: id, connection) else { throw Self.notFound }
                let answer = try connection.run(
                    "select checkpost.change_passage($1::jsonb) ->> 'reason'", [try order.json(visit, of: clientID)]
                ).scalar
                switch answer {
                case nil, "it was made before": break
                case "the plate is this already":
                    throw APIError(.conflict, "error_same_plate", "The passage has that plate already")
                default: throw APIError(.conflict, "error_gone", answer ?? "")
                }
                return id
            }
        } catch let problem as APIError
            where [400, 409, 422].contains(problem.status.code) && problem.code != "error_gone"
        {
            return try await again(id, fields, problem, isWithdrawal: isWithdrawal, request)
        }
        return .redirect(
            to: isWithdrawal ? "/warden/passages?said=withdrawn" : "/warden/passage?id=\(id)&said=corrected")
    }

    /// The page with a form that was not taken, with what was typed in it.
    private func again(
        _ id: String, _ fields: Fields, _ problem: APIError, isWithdrawal: Bool, _ request: Request
    ) async throws -> Response {
        let texts = Warden.texts(request)
        var form = ["typedReason": fields.exact("reason") ?? ""]
        form[isWithdrawal ? "opensWithdrawal" : "opensCorrection"] = "1"
        form["problem"] = WardenProblem.said(problem, texts)
        if !isWithdrawal {
            form["typedPlate"] = fields.exact("plate") ?? ""
            form["typedType"] = fields["type"]
        }
        return try await page(of: id, request, form: form, status: problem.status)
    }
}
