import Enforcement
import Foundation
import HTTPClient
import MachineClock
import PeerLink
import Recognition
import Storage
import Synchronization
import Synchronizer

/// The pictures of the other post, from its box itself: in small parts, so that what is new is not held up for long.
struct PeerPictures: PictureSource {
    let settings: Configuration.PeerSettings
    let otherPost: String
    let store: Store

    /// For all of a picture; the next one waits as long.
    private static let patience = Duration.seconds(180)
    private static let leastPart = 4 << 10

    func picture(of passage: UUID, cancellation: HTTPCancellation) -> FetchedPicture {
        do {
            guard let peer = try store.peers.active(of: otherPost), let address = peer.seenAt ?? peer.address,
                let key = PeerKey(text: peer.publicKey)
            else { return .silent }
            let caller = PeerCaller(as: try PeerKeeper(store).identity(), cancellation: cancellation) {
                MachineClock.uptime
            }
            var picture = Data()
            let end = ContinuousClock.now + Self.patience
            repeat {
                let question = PictureQuestion(passage: passage, from: picture.count, mostBytes: settings.photoBytes)
                let answer = try caller.ask(
                    JSONEncoder().encode(PeerAsk(picture: question)), of: key, at: address, wait: .seconds(30))
                let reply = try JSONDecoder().decode(PictureReply.self, from: answer)
                guard reply.size > 0 else { return .notYet }
                let isLast = picture.count + reply.part.count == reply.size
                guard isLast || reply.part.count >= Self.leastPart, ContinuousClock.now < end,
                    reply.size <= OtherPostPictures.maximumBytes,
                    picture.count + reply.part.count <= reply.size
                else { return .silent }
                picture += reply.part
                if picture.count == reply.size { return .picture(picture) }
            } while try store.peers.active(of: otherPost)?.publicKey == peer.publicKey
            return .silent
        } catch {
            return .silent
        }
    }
}

/// The pictures of this post, for the other one. The one that was asked for last is kept in memory: it is asked for part by part.
final class PeerPhotoShelf: Sendable {
    /// Of one answer.
    static let partBytes = 16 << 10

    private struct Shown {
        let passage: UUID
        let mostBytes: Int
        let picture: Data
    }

    private let store: Store
    private let shown = Mutex<Shown?>(nil)

    init(_ store: Store) { self.store = store }

    /// - Parameter oldest: of what was recorded earlier nothing is shown.
    func reply(to question: PictureQuestion, of code: String, notBefore oldest: Instant) throws -> PictureReply {
        let nothing = PictureReply(size: 0, part: Data())
        guard let stored = try store.passages.passage(clientID: question.passage), stored.withdrawnAt == nil,
            stored.passage.checkpostCode == code, stored.passage.recordedAt >= oldest,
            let picture = try picture(of: stored, mostBytes: question.mostBytes)
        else { return nothing }
        guard question.from >= 0, question.from < picture.count else { return nothing }
        return PictureReply(size: picture.count, part: picture.dropFirst(question.from).prefix(Self.partBytes))
    }

    private func picture(of stored: StoredPassage, mostBytes: Int) throws -> Data? {
        let most = min(max(20 << 10, mostBytes), OtherPostPictures.maximumBytes)
        if let shown = shown.withLock({ $0 }), shown.passage == stored.id, shown.mostBytes == most {
            return shown.picture
        }
        guard stored.photoRemovedAt == nil, let sha256 = stored.passage.photoSHA256,
            let record = try store.photos.record(sha256: sha256)
        else { return nil }
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent()
        let kept = try PhotoStore(folder: folder).read(record)
        let picture = kept.count <= most ? kept : try PhotoEncoder.jpeg(of: kept, maximumBytes: most)
        shown.withLock { $0 = Shown(passage: stored.id, mostBytes: most, picture: picture) }
        return picture
    }
}
