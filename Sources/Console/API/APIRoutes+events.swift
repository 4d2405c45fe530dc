import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import ServiceLifecycle
import Storage

extension APIRoutes {
    /// The stream of what changes. It ends when the browser leaves, when it is too slow, and when the console stops.
    func events(_ request: Request, _ context: ConsoleContext) throws -> Response {
        let active = try context.user()
        let last =
            HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
            ?? request.uri.queryParameters.get("after").map { String($0) }
        guard let stream = console.hub.subscribe(after: last, for: active.user.name) else {
            throw ConsoleError(.serviceUnavailable, "error_too_many", retryAfterSeconds: 10)
        }
        let console = console
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
            ],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                for await event in stream.cancelOnGracefulShutdown() {
                    // Who was signed out meanwhile hears nothing more.
                    guard try console.sessions.active(active.token, at: console.now) != nil else { break }
                    let text = "id: \(event.id)\nevent: \(event.name)\ndata: \(event.data)\n\n"
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }
}
