import Foundation
import Hummingbird
import Pages

/// A second pair of eyes: what a ranger changed is right, or goes back. Every word goes through `checkpost.check_change`.
struct CheckRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/do/check", method: .post) { request, _ in try await check(request) }
    }

    private func check(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        guard let change = fields["change"].flatMap(UUID.init(uuidString:)), let key = fields["key"],
            AuditRow.isKey(key),
            let verdict = fields["verdict"], ["right", "back"].contains(verdict)
        else {
            throw APIError(.unprocessableContent, "error_input", "change, key and verdict are needed")
        }
        let goesBack = verdict == "back"
        var word = ["id": change.uuidString.lowercased(), "key": key, "verdict": verdict]
        if goesBack {
            guard let reason = fields["reason"], reason.unicodeScalars.count <= 200 else {
                throw APIError(.unprocessableContent, "error_reason", "A reason is needed")
            }
            word["reason"] = reason
        }
        let said = word
        try await warden.change(request, fields, goesBack ? "put a change back" : "approve a change") {
            connection, visit in
            let told = said.merging(["acted_by": visit.person.fullName]) { $1 }
            let json = String(decoding: try JSONEncoder().encode(told), as: UTF8.self)
            _ = try connection.run("select checkpost.check_change($1::jsonb)", [json])
            return key
        }
        return .redirect(to: "/warden/work?said=" + (goesBack ? "put_back" : "approved"))
    }
}
