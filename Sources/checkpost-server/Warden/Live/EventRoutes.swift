import Foundation
import HTTPTypes
import Hummingbird
import Pages
import ServiceLifecycle

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
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // A proxy must not collect events before it hands them on.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
                for await event in stream.cancelOnGracefulShutdown() {
                    guard await isIn(token, caller, warden) else { break }
                    let text = "id: \(event.id)\nevent: \(event.name)\ndata: \(event.data)\n\n"
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }

    /// Whether the session still holds. A database that is busy ends nobody's.
    private func isIn(_ token: String, _ caller: Caller, _ warden: Warden) async -> Bool {
        guard warden.sessions.session(token: token, at: Warden.now) != nil else { return false }
        do {
            try await warden.gateway.transaction(as: caller, readsOnly: true) { _ in }
            return true
        } catch let error as APIError {
            return error.status != .unauthorized
        } catch {
            return true
        }
    }
}
