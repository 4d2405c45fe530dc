import HTTPTypes
import Hummingbird
import Pages
import ServiceLifecycle

extension Response {
    /// A stream of events. It ends with the server, or once its reader may hear nothing more.
    ///
    /// - Parameters:
    ///   - beginning: what is written at once.
    ///   - mayHear: asked before each event.
    static func events(
        _ beginning: String, _ events: AsyncStream<EventHub.Event>, while mayHear: @escaping @Sendable () async -> Bool
    ) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // A proxy must not collect events before it hands them on.
        headers[.accelBuffering] = "no"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: beginning))
                for await event in events.cancelOnGracefulShutdown() {
                    guard await mayHear() else { break }
                    let text = "id: \(event.id)\nevent: \(event.name)\ndata: \(event.data)\n\n"
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }
}

extension Gateway {
    /// Whether the account may still do anything. A database that is busy ends nobody's stream.
    func isIn(_ caller: Caller) async -> Bool {
        do {
            try await transaction(as: caller, readsOnly: true) { _ in }
            return true
        } catch let error as APIError {
            return error.status != .unauthorized
        } catch {
            return true
        }
    }
}
