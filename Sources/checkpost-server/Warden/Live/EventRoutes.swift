import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The stream that tells an open page when to look again. It says that something changed and never what: the page asks with its own rights.
struct EventRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/events", method: .get) { request, _ in try await events(request) }
    }

    private func events(_ request: Request) async throws -> Response {
        // Nobody gets a stream who may not look at a page.
        let (visit, _) = try await warden.read(request) { _, _ in }
        let (token, caller) = (request.cookies[WardenSessions.cookieName]?.value ?? "", visit.session.caller)
        let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        guard let stream = warden.gateway.hub.subscribe(after: last, for: caller.user?.uuidString ?? "") else {
            throw APIError(
                .serviceUnavailable, "error_too_many", "Too many pages are open", retryAfterSeconds: 60)
        }
        let warden = warden
        return Response.events("retry: 5000\n\n", stream) {
            warden.sessions.session(token: token, at: Warden.now) != nil ? await warden.gateway.isIn(caller) : false
        }
    }
}
