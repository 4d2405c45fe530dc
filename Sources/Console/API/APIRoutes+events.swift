import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Storage

extension APIRoutes {
    /// A comment line this often keeps the connection open, and tells us when the browser is gone.
    private static let heartbeat = Duration.seconds(20)

    /// The stream of what changes. It ends when the browser leaves, when it is too slow, and when the console stops.
    func events(_ request: Request, _ context: ConsoleContext) throws -> Response {
        let active = try context.user()
        let last =
            HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
            ?? request.uri.queryParameters.get("after").map { String($0) }
        guard let stream = console.hub.subscribe(after: last) else {
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
                let lines = Self.lines(stream)
                for await line in lines.cancelOnGracefulShutdown() {
                    // Who was signed out meanwhile hears nothing more.
                    guard try console.sessions.active(active.token, at: console.now) != nil else { break }
                    try await writer.write(ByteBuffer(string: line))
                }
                try await writer.finish(nil)
            })
    }

    /// Events and heartbeats in one stream of text. It holds few lines: a browser that is behind fills the hub's buffer next,
    /// and is cut off there.
    private static func lines(_ events: AsyncStream<EventHub.Event>) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let pump = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events {
                        continuation.yield("id: \(event.id)\nevent: \(event.name)\ndata: \(event.data)\n\n")
                    }
                    continuation.finish()
                }
                group.addTask {
                    while (try? await Task.sleep(for: heartbeat)) != nil { continuation.yield(": \n\n") }
                }
                _ = await group.next()
                group.cancelAll()
            }
        }
        continuation.onTermination = { _ in pump.cancel() }
        return stream
    }
}
