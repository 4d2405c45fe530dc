import Enforcement
import Foundation
import Notices
import Pages
import Storage

extension Console {
    /// What is known now of a violation, to be handed over.
    ///
    /// - Throws: `ConsoleError` when there is no such violation, or none any more.
    func notice(of id: UUID, by ranger: String) async throws -> Notice {
        guard let stored = try store.violations.violation(id: id) else { throw ConsoleError.notFound }
        guard stored.violation.state != .withdrawn else { throw ConsoleError(.conflict, "error_notice_withdrawn") }
        let violation = stored.violation
        let isExitHere = try store.passages.unknown(among: [violation.exitClientID]).isEmpty
        let other = otherEnd(of: violation)
        let (entryPost, exitPost) = isExitHere ? (other, post.code) : (post.code, other)
        let own = try await host.segment()?.name
        let road = try store.segments.segment(ofCheckpost: other)?.segment.name ?? own
        return Notice(
            of: violation, outcome: stored.outcome, road: road,
            entry: .init(
                post: entryPost, time: violation.entryTime, picture: try noticePicture(of: violation.entryClientID)),
            exit: .init(
                post: exitPost, time: violation.exitTime, picture: try noticePicture(of: violation.exitClientID)),
            by: .ranger(ranger, post: post.name.isEmpty ? post.code : "\(post.name) (\(post.code))"), at: now)
    }

    /// - Returns: nil where there is none; one of the other post that isn't here is asked for.
    private func noticePicture(of passage: UUID) throws -> Notice.Picture? {
        guard let own = try store.passages.passage(clientID: passage) else {
            if let copy = otherPictures.read(passage) { return Notice.Picture(bytes: copy.bytes) }
            _ = host.wantPicture(ofOtherPost: passage)
            return nil
        }
        guard own.photoRemovedAt == nil, let sha256 = own.passage.photoSHA256,
            let record = try store.photos.record(sha256: sha256)
        else { return nil }
        do {
            return Notice.Picture(bytes: try photos.read(record), sha256: sha256)
        } catch {
            // The notice is handed over all the same, and says that there is no picture.
            log.warning("a photo can't be read", metadata: ["photo": "\(sha256)", "error": "\(error)"])
            return nil
        }
    }
}
