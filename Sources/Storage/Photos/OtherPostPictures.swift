import Enforcement
import Foundation

/// Pictures of the other post's passages, for the console: `<data folder>/other-photos/<client id of the passage>.jpg`.
///
/// They are copies that may be smaller than what the other post keeps. Evidence is there; the oldest here give way.
package struct OtherPostPictures: Sendable {
    /// The data folder.
    package let folder: URL

    package static let most = 500

    /// As the server's bucket allows.
    package static let maximumBytes = 2 << 20

    package init(folder: URL) {
        self.folder = folder
    }

    package var root: URL { folder.appendingPathComponent("other-photos") }

    private func file(_ passage: UUID) -> URL { root.appendingPathComponent(passage.stored + ".jpg") }

    package func has(_ passage: UUID) -> Bool { FileManager.default.fileExists(atPath: file(passage).path) }

    /// - Returns: the picture with its media type; nil when it isn't here.
    package func read(_ passage: UUID) -> (bytes: Data, mediaType: String)? {
        guard let data = try? Data(contentsOf: file(passage)) else { return nil }
        return (data, PictureType(of: data).mediaType)
    }

    /// Keeps a picture, and removes the oldest of too many.
    ///
    /// - Throws: `StoreError` of kind `refused` for what is no JPEG or PNG of at most 2 MB, others when the disk fails.
    package func keep(_ picture: Data, of passage: UUID) throws {
        guard picture.count <= Self.maximumBytes,
            ["image/jpeg", "image/png"].contains(PictureType(of: picture).mediaType)
        else { throw StoreError(.refused, "That is no JPEG or PNG of at most 2 MB.") }
        do {
            try DurableFile.makeFolder(root, below: folder)
            try DurableFile.write(picture, to: file(passage))
        } catch let error as DurableFile.Failure {
            throw PhotoStore.storeError(error)
        }
        removeOldest()
    }

    private func removeOldest() {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        guard
            let files = try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: Array(keys)),
            files.count > Self.most
        else { return }
        let dated = files.map { file in
            (file, (try? file.resourceValues(forKeys: keys).contentModificationDate) ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.1 < $1.1 }).prefix(files.count - Self.most) {
            try? FileManager.default.removeItem(at: file)
        }
    }
}
