import Foundation
import HTTPTypes
import Hummingbird
import Pages
import ParkAPI

/// `/changes/v1`: a stream that says when something was written in the caller's segment, so that a box need not ask again and again.
package struct ChangeHandler: Sendable {
    private let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on(RouterPath(ParkPath.changes), method: .get) { request, _ in try await listen(request) }
    }

    private func listen(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let row = try await gateway.transaction(as: caller, readsOnly: true) { connection in
            try connection.run("select checkpost.my_segment(), coalesce(checkpost.reads_all(), false)").rows.first
        }
        let segment = row?.first.flatMap { $0 }.flatMap(UUID.init(uuidString:))
        guard segment != nil || row?.last.flatMap({ $0 }) == "t" || caller.role == .service else {
            throw APIError(.forbidden, "42501", "This account has no post, and no changes to hear of")
        }
        guard let stream = gateway.changes.subscribe(to: segment, for: caller.user?.uuidString ?? "") else {
            throw APIError(.serviceUnavailable, "error_too_many", "Too many listen", retryAfterSeconds: 60)
        }
        // A token is good for an hour, and so is what it opened.
        let end = ContinuousClock.now + .seconds(3600)
        let gateway = gateway
        return Response.events("\(ChangeEvent.hello.line)\ndata: {}\n\n", stream) {
            ContinuousClock.now < end ? await gateway.isIn(caller) : false
        }
    }
}
