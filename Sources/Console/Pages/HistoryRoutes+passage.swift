import Enforcement
import Foundation
import Hummingbird
import Pages
import Ranger
import Storage

extension HistoryRoutes {
    func passage(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let query = request.formQuery
        guard let id = query.get("id").flatMap({ UUID(uuidString: String($0)) }) else { throw ConsoleError.notFound }
        if let other = try console.store.passages.elsewhere(clientID: id),
            try console.store.passages.passage(clientID: id) == nil
        {
            return try await page(of: other, request, context)
        }
        return try await page(
            of: id, query.get("correct") == "1" ? ["opensCorrection": true] : [:], request, context, status: .ok)
    }

    /// A passage of the other post: it is corrected and withdrawn there.
    private func page(of other: OtherPassage, _ request: Request, _ context: ConsoleContext) async throws -> Response {
        let texts = context.texts
        let post = other.passage.checkpostCode
        var model: [String: Any] = [
            "passage": PassageView(other, texts), "othersText": texts("passage_of_other", ["post": post]),
            "picture": console.picture(of: other.passage.clientID, label: post, texts),
        ]
        if let id = other.counterpart, let own = try console.store.passages.passage(clientID: id) {
            model["counterpart"] = [
                "path": "/passage?id=" + id.uuidString.lowercased(),
                "text": console.post.code + " " + texts.short(own.passage.recordedAt, now: console.now),
            ]
        }
        if let violation = other.violation {
            model["finding"] =
                console.alertViews(
                    [try console.alert(violation, raisedAt: violation.exitTime)], texts)[0]
            let outcomes = try console.store.violations.outcomes(ofViolation: violation.id)
            model["outcomes"] = console.lines(outcomes, texts)
            if (Outcome.changeableUntil(outcomes).map { $0 > console.now } ?? true) {
                model["outcomeButton"] = texts[outcomes.isEmpty ? "record_outcome" : "change_outcome"]
            }
        }
        return console.page(
            "other-passage", context, model, at: "history", state: try await console.statusView(texts))
    }

    /// The page with a correction or a withdrawal that was refused, with what was typed.
    func passageAgain(
        _ refused: Refused, isCorrection: Bool, _ request: Request, _ context: ConsoleContext
    ) async throws -> Response {
        guard let id = try? refused.fields.uuid("id") else { throw refused.error }
        let texts = context.texts
        var model: [String: Any] = [isCorrection ? "opensCorrection" : "opensWithdrawal": true]
        model["typedPlate"] = refused.fields.exact("plate") ?? ""
        model["typedReason"] = refused.fields.exact("reason") ?? ""
        model["problemReason"] = refused.said(of: ["error_reason"], texts)
        if model["problemReason"] == nil { model["problemPlate"] = refused.said(texts) }
        return try await page(of: id, model, request, context, status: refused.error.status)
    }

    private func page(
        of id: UUID, _ form: [String: Any], _ request: Request, _ context: ConsoleContext, status: HTTPResponse.Status
    ) async throws -> Response {
        guard let stored = try console.store.passages.passage(clientID: id) else { throw ConsoleError.notFound }
        let texts = context.texts
        var model = form
        model["passage"] = PassageView(stored, texts)
        if model["typedPlate"] == nil { model["typedPlate"] = stored.passage.plate.canonical }
        model["counterpart"] = stored.counterpart.map {
            "\($0.checkpostCode) \(texts.short($0.recordedAt, now: console.now))"
        }
        if let violation = stored.violation {
            let alert = try console.alert(violation, raisedAt: stored.createdAt)
            let finding = console.alertViews([alert], texts)[0]
            model["finding"] = finding
            let outcomes = try console.store.violations.outcomes(ofViolation: violation.id)
            model["outcomes"] = console.lines(outcomes, texts)
            if (Outcome.changeableUntil(outcomes).map { $0 > console.now } ?? true) {
                model["outcomeButton"] = texts[outcomes.isEmpty ? "record_outcome" : "change_outcome"]
            }
            if violation.state != .withdrawn { model["noticeID"] = violation.id.uuidString.lowercased() }
            model["otherPicture"] = finding.pictures.first { $0.passage != id.uuidString.lowercased() }
        }
        model["changes"] = try console.store.passages.corrections(ofPassage: id).map { change in
            texts.short(change.at, now: console.now) + ": "
                + texts(
                    "change_" + change.kind.rawValue,
                    [
                        "old": change.oldPlate.canonical, "new": change.newPlate?.canonical ?? "",
                        "reason": change.reason, "actor": change.actor,
                    ])
        }
        if let former = try console.store.clock.formerTime(ofPassage: id) {
            let time = texts.moment(former.recordedAt)
            model["changes"] = [texts("change_time", ["time": time])] + (model["changes"] as? [String] ?? [])
        }
        model["place"] = "/passage?id=" + id.uuidString.lowercased()
        return console.page(
            "passage", context, model, at: "history", status: status, state: try await console.statusView(texts),
            said: SaidView(request, console, texts))
    }
}
