import Enforcement
import HTTPTypes
import Hummingbird
import NIOCore
import Pages

/// Counts requests against the limit, turns every error into the JSON of its part of the API or into a page, and logs the outcome.
///
/// A client never sees what an unexpected error says: it goes to the log, and the answer is a plain 500.
package struct GatewayMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    package let gateway: Gateway
    package let routes: KnownRoutes

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.address = gateway.proxies.client(
            of: context.address, forwardedFor: request.headers[values: .forwardedFor])
        let share = RequestShare(address: context.address, memory: gateway.bodyMemory)
        defer { share.giveBack() }
        let begun = ContinuousClock.now
        var response = try await answer(request, context, share, next)
        gateway.figures.count(
            path: request.uri.path, status: response.status.code, taken: ContinuousClock.now - begun)
        response.headers[.requestID] = share.id
        if Warden.serves(request.uri.path) { PageSafety.secure(&response) }
        return response
    }

    private func answer(_ error: APIError, _ request: Request) -> Response {
        guard !Warden.serves(request.uri.path) else { return WardenProblem(gateway.settings).answer(error, request) }
        return ErrorShape(path: request.uri.path).response(error, isHead: request.method == .head)
    }

    private func answer(
        _ request: Request, _ context: GatewayContext, _ share: RequestShare,
        _ next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
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
            return try await RequestShare.$current.withValue(share) { try await next(request, context) }
        } catch let error as APIError {
            gateway.journal.refused(error, request, share)
            return answer(error, request)
        } catch is PostgresPool.Overload {
            let error = APIError(.serviceUnavailable, "PGRST003", "The server is busy", retryAfterSeconds: 2)
            gateway.journal.refused(error, request, share)
            return answer(error, request)
        } catch is S3Outage {
            // Its log line says why, once.
            let error = APIError(
                .serviceUnavailable, "photo_storage", "The storage of the photos can't be used now",
                retryAfterSeconds: 30)
            gateway.journal.refused(error, request, share)
            return answer(error, request)
        } catch let error as any HTTPResponseError {
            let known = error.status == .notFound ? routes.methods(of: request.uri.path) : []
            guard known.isEmpty else {
                return answer(.badMethod(request.method, allowed: known), request)
            }
            return answer(APIError(error.status, String(error.status.code), error.status.reasonPhrase), request)
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
                    "request": "\(share.id)",
                ])
            return answer(
                APIError(.internalServerError, "500", "Something went wrong; the server's log says what"), request)
        }
    }
}
