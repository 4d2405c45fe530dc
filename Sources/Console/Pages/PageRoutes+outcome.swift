import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Ranger
import Storage

extension PageRoutes {
    func outcome(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let query = request.formQuery
        guard let id = query.get("violation").flatMap({ UUID(uuidString: String($0)) }) else {
            throw ConsoleError.notFound
        }
        return try await outcomeForm(id, request, context)
    }

    /// The form again after it was refused, with what was typed and what stands against it.
    func outcomeAgain(_ refused: Refused, _ request: Request, _ context: ConsoleContext) async throws -> Response {
        guard let id = try? refused.fields.uuid("violation_id") else { throw refused.error }
        return try await outcomeForm(id, request, context, refused: refused)
    }

    private func outcomeForm(
        _ id: UUID, _ request: Request, _ context: ConsoleContext, refused: Refused? = nil
    ) async throws -> Response {
        guard let stored = try console.store.violations.violation(id: id) else { throw ConsoleError.notFound }
        let texts = context.texts
        let alert = try console.alert(stored.violation, raisedAt: stored.createdAt)
        let known = try console.store.violations.outcomes(ofViolation: id)
        let closes = Outcome.changeableUntil(known)
        let kind = refused?.fields["kind"] ?? stored.outcome?.kind.rawValue
        let lines = console.lines(known, texts)
        var model: [String: Any] = [
            "finding": console.alertViews([alert], texts)[0], "violationID": id.uuidString.lowercased(),
            "seen": Outcome.version(of: known), "isClosed": closes.map { $0 <= console.now } ?? false,
            "isOpen": closes.map { $0 > console.now } ?? false,
            "closesAt": closes.map { texts("outcome_until", ["time": texts.short($0, now: console.now)]) } ?? "",
            "kinds": Outcome.Kind.allCases.map {
                Choice(value: $0.rawValue, text: texts["outcome_" + $0.rawValue], isChosen: $0.rawValue == kind)
            },
            "fine": stored.outcome?.fineAmount.map(Outcome.sum) ?? "", "notes": stored.outcome?.notes ?? "",
            "outcomes": lines, "place": "/outcome?violation=" + id.uuidString.lowercased(),
        ]
        let earlier = try console.earlierLines(alert, texts)
        model["earlierViolations"] = earlier
        model["hasEarlier"] = !earlier.isEmpty
        if let fine = console.configuration.fines.fine(for: stored.violation) {
            model["proposed"] = Outcome.sum(fine)
            model["proposedText"] = texts["outcome_fined"] + " " + texts.rupees(fine)
        }
        if stored.violation.state != .withdrawn { model["noticeID"] = id.uuidString.lowercased() }
        if let refused {
            let (fields, error) = (refused.fields, refused.error)
            model["fine"] = fields["fine_amount"] ?? ""
            model["notes"] = fields["notes"] ?? ""
            model["problem"] = refused.said(texts)
            if error.text == "error_outcome_changed", let latest = known.first, let line = lines.first {
                let what = [line["text"] ?? "", line["fine"] ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
                model["problem"] = texts(
                    "outcome_changed",
                    [
                        "name": latest.recordedBy, "what": what,
                        "time": texts.short(latest.recordedAt, now: console.now),
                    ])
            }
        }
        return try await show(
            "outcome", request, context, model, at: "alerts", status: refused?.error.status ?? .ok)
    }
}
