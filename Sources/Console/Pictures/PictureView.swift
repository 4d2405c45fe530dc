import Enforcement
import Foundation
import Pages
import Storage

/// What the box knows of a picture of the other post that isn't here.
package enum PictureNews: Sendable, Equatable {
    /// The server is being asked.
    case asked
    /// The other post has not sent it yet.
    case notYet
    /// The server can't be reached.
    case unreachable
    /// There is no server to ask.
    case noServer
}

/// One of the pictures of a violation, or why it can't be shown.
struct PictureView: Encodable, Sendable {
    /// The passage's id: the page finds the picture's place by it when it comes.
    let passage: String
    let label: String

    /// Where this console has it; nil when it hasn't.
    let path: String?

    /// Why it isn't here, in plain words; empty when it is.
    let text: String
}

extension Console {
    var otherPictures: OtherPostPictures { OtherPostPictures(folder: photos.folder) }

    /// The picture of a passage of this post, or of the other's, which is asked for when it isn't here.
    func picture(of passage: UUID, label: String, _ texts: Texts) -> PictureView {
        let id = passage.uuidString.lowercased()
        func missing(_ text: String) -> PictureView {
            PictureView(passage: id, label: label, path: nil, text: texts[text])
        }
        let own: StoredPassage?
        do {
            own = try store.passages.passage(clientID: passage)
        } catch {
            // Without the database nobody knows whose it is, and the server isn't asked for a picture of this post's own.
            log.error("a passage can't be read", metadata: ["error": "\(error)"])
            return missing("no_photo")
        }
        if let own {
            guard own.photoRemovedAt == nil, let sha256 = own.passage.photoSHA256 else { return missing("no_photo") }
            return PictureView(passage: id, label: label, path: "/photos/" + sha256, text: "")
        }
        if otherPictures.has(passage) {
            return PictureView(passage: id, label: label, path: "/photos/other/" + id, text: "")
        }
        return switch host.wantPicture(ofOtherPost: passage) {
        case .asked: missing("picture_asked")
        case .notYet: missing("picture_not_yet")
        case .unreachable: missing("picture_unreachable")
        case .noServer: missing("photo_elsewhere")
        }
    }
}
