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
        if goesBack { word["reason"] = try fields.reason() }
        try await warden.tell(
            "check_change", word, request, fields, goesBack ? "put a change back" : "approve a change")
        return .redirect(to: "/warden/work?said=" + (goesBack ? "put_back" : "approved"))
    }
}
