import Enforcement
import Foundation
import Hummingbird
import Pages

/// What became of a violation, as a warden says it, whenever that is: a ranger changes an outcome for a day only.
struct OutcomeRoutes: Sendable {
    let warden: Warden
    let passages: PassageRoutes

    static let longestNotes = 1000

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/do/outcome", method: .post) { request, _ in try await put(request) }
    }

    /// As `checkpost.put_outcome` takes it.
    private struct Word: Encodable, Sendable {
        var violationID: String
        var outcomeType: String
        var fineAmount: Double?
        var notes: String?
        var was: Int64
        var reason: String
        var actedBy = ""

        /// - Throws: what is missing in the form, by the name of a text.
        init(_ fields: Fields) throws(APIError) {
            guard let violation = fields["violation"].flatMap(UUID.init(uuidString:)),
                let kind = fields["kind"].flatMap(Outcome.Kind.init(rawValue:)),
                let was = fields["was"].flatMap(Int64.init)
            else {
                throw APIError(.unprocessableContent, "error_input", "violation, kind and was are needed")
            }
            violationID = violation.uuidString.lowercased()
            outcomeType = kind.rawValue
            self.was = was
            do { fineAmount = try kind.fine(typed: fields["fine_amount"]) } catch {
                throw APIError(
                    .unprocessableContent, error == .noSum ? "error_fine" : "error_fine_kind", "The sum makes no sense")
            }
            notes = fields["notes"]
            guard (notes ?? "").unicodeScalars.count <= OutcomeRoutes.longestNotes else {
                throw APIError(.unprocessableContent, "error_input", "The notes are too long")
            }
            reason = try fields.reason()
        }
    }

    private func put(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let id = fields["id"].flatMap(UUID.init(uuidString:))?.uuidString.lowercased() else {
            throw PassageRoutes.notFound
        }
        do {
            let word = try Word(fields)
            try await warden.change(request, fields, "change outcome") { connection, visit in
                var word = word
                word.actedBy = visit.person.fullName
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                let json = String(decoding: try encoder.encode(word), as: UTF8.self)
                _ = try connection.run("select checkpost.put_outcome($1::jsonb)", [json])
                return word.violationID
            }
        } catch let problem as APIError where [.unprocessableContent, .conflict].contains(problem.status) {
            let texts = Warden.texts(request)
            var form = ["opensOutcome": "1", "problem": WardenProblem.said(problem, texts)]
            for (name, field) in [
                ("typedReason", "reason"), ("typedFine", "fine_amount"), ("typedNotes", "notes"), ("typedKind", "kind"),
            ] {
                form[name] = fields.exact(field) ?? ""
            }
            // Whoever was slower sees what holds now, and may say it again; what was only wrong in itself still knows what it knew.
            if problem.status == .unprocessableContent { form["was"] = fields.exact("was") }
            return try await passages.page(of: id, request, form: form, status: problem.status)
        }
        return .redirect(to: "/warden/passage?id=\(id)&said=outcome")
    }
}
