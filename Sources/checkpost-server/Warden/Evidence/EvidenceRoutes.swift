import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import Pages

/// The evidence of a violation as one file, for whoever may see the violation.
struct EvidenceRoutes: Sendable {
    let warden: Warden

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/evidence", method: .get) { request, _ in try await export(request) }
    }

    private func export(_ request: Request) async throws -> Response {
        guard let id = request.formQuery.get("violation").flatMap(UUID.init(uuidString:)) else {
            throw PassageRoutes.notFound
        }
        let violation = id.uuidString.lowercased()
        let (visit, found) = try await warden.read(request) { connection, _ in
            try EvidenceBundle.of(violation, connection)
        }
        guard let found else { throw PassageRoutes.notFound }
        let photos = warden.gateway.photos
        // Two photos of 2 MB and what was signed: small enough for the memory, and read off the threads that serve.
        let archive = try await NIOThreadPool.singleton.runIfActive {
            try found.archive(at: visit.now, photos: photos)
        }
        var answer = bytes(archive, "application/x-tar", cacheControl: "no-store")
        answer.headers[.contentDisposition] = "attachment; filename=\"evidence-\(violation.prefix(8)).tar\""
        return answer
    }
}
