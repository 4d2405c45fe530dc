import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import Notices
import Pages
import Paper

/// The notice of a violation as a file, the same as a post writes it, for whoever may see the violation.
struct NoticeRoutes: Sendable {
    let warden: Warden

    private struct Found: Sendable {
        var row: ViolationRow
        var road: String?
        var entryPhoto: PassagePhoto?
        var exitPhoto: PassagePhoto?
    }

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/notice", method: .get) { request, _ in try await write(request) }
    }

    private func write(_ request: Request) async throws -> Response {
        guard let id = request.formQuery.get("violation").flatMap(UUID.init(uuidString:)) else {
            throw PassageRoutes.notFound
        }
        let (visit, found) = try await warden.read(request) { connection, _ in
            try Self.found(id.uuidString.lowercased(), connection)
        }
        guard let found, let violation = found.row.violation else { throw PassageRoutes.notFound }
        let photos = warden.gateway.photos
        // Two photos and two pages: small enough for the memory, and written off the threads that serve.
        let (name, pdf) = try await NIOThreadPool.singleton.runIfActive {
            func side(_ post: String, _ time: Instant, _ photo: PassagePhoto?) throws -> Notice.Side {
                let picture = try photo.flatMap { photo in
                    try photo.bytes(in: photos).map {
                        Notice.Picture(bytes: $0, sha256: photo.isAsRecorded ? photo.hash : nil)
                    }
                }
                return Notice.Side(post: post, time: time, picture: picture)
            }
            let notice = Notice(
                of: violation, outcome: found.row.outcome?.outcome, road: found.road,
                entry: try side(found.row.entryPost, violation.entryTime, found.entryPhoto),
                exit: try side(found.row.exitPost, violation.exitTime, found.exitPhoto),
                by: .office(visit.person.fullName), at: visit.now)
            let document = NoticeDocument(notice, visit.texts) { PaperPicture(file: $0.bytes) }
            return (notice.fileName, try document.pdf(and: Texts.of(visit.texts.otherLanguage)))
        }
        var answer = bytes(pdf, "application/pdf", cacheControl: "no-store")
        answer.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return answer
    }

    /// Nil where the account sees no such violation.
    private static func found(_ violation: String, _ connection: PostgresConnection) throws -> Found? {
        let rows = try connection.list(
            ViolationRow.self,
            "select \(ViolationRow.columns) from violations v \(ViolationRow.joins) where v.id = $1::uuid", [violation])
        guard let row = rows.first else { return nil }
        let road = try connection.run(
            "select s.name from highway_segments s join violations v on v.segment_id = s.id where v.id = $1::uuid",
            [violation]
        ).scalar
        return Found(
            row: row, road: road, entryPhoto: try PassagePhoto.of(row.entryPassage, connection),
            exitPhoto: try PassagePhoto.of(row.exitPassage, connection))
    }
}
