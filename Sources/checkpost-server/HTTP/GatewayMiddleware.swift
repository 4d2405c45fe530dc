import Enforcement
import HTTPTypes
import Hummingbird
import NIOCore

/// Counts requests against the limit, turns every error into the JSON of its part of the API, and logs the outcome.
///
/// A client never sees what an unexpected error says: it goes to the log, and the answer is a plain 500.
package struct GatewayMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    package let gateway: Gateway
    package let routes: KnownRoutes

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        let shape = ErrorShape(path: request.uri.path)
        let isHead = request.method == .head
        var context = context
        context.address = gateway.proxies.client(
            of: context.address, forwardedFor: request.headers[values: .forwardedFor])
        let share = RequestShare(address: context.address, memory: gateway.bodyMemory)
        defer { share.giveBack() }
        do {
            try RequestBounds.check(request)
            guard gateway.requestsUnderWay.take(for: context.address) else {
                throw APIError(
                    .tooManyRequests, "over_request_rate_limit", "Too many requests at once", retryAfterSeconds: 1)
            }
            defer { gateway.requestsUnderWay.give(for: context.address) }
            if let seconds = gateway.requestLimiter.secondsToWait(context.address) {
                throw APIError(
                    .tooManyRequests, "over_request_rate_limit", "Too many requests",
                    retryAfterSeconds: max(1, Int(seconds.rounded(.up))))
            }
            let answered = context
            return try await RequestShare.$current.withValue(share) { try await next(request, answered) }
        } catch let error as APIError {
            gateway.journal.refused(error, request, share)
            return shape.response(error, isHead: isHead)
        } catch is PostgresPool.Overload {
            let error = APIError(.serviceUnavailable, "PGRST003", "The server is busy", retryAfterSeconds: 2)
            gateway.journal.refused(error, request, share)
            return shape.response(error, isHead: isHead)
        } catch let error as any HTTPResponseError {
            let known = error.status == .notFound ? routes.methods(of: request.uri.path) : []
            guard known.isEmpty else {
                return shape.response(.badMethod(request.method, allowed: known), isHead: isHead)
            }
            return shape.response(
                APIError(error.status, String(error.status.code), error.status.reasonPhrase), isHead: isHead)
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as ChannelError {
            // The client is gone; there is nobody to answer.
            throw error
        } catch {
            gateway.log.error(
                "unexpected",
                metadata: [
                    "path": "\(LogText.of(request.uri.path))", "error": "\(LogText.of("\(error)", limit: 1000))",
                ])
            return shape.response(
                APIError(.internalServerError, "500", "Something went wrong; the server's log says what"),
                isHead: isHead)
        }
    }
}
