import Enforcement
import Foundation
import Storage

/// A copy of the other post's folder of photos, on a drive: its pictures are named by their hash, as `PhotoStore` keeps them.
package struct PhotoFolder {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// More files are not looked through.
    private static let mostFiles = 500_000

    /// Takes the pictures of the other post's passages that a violation names, so that the console shows both.
    ///
    /// - Parameter hashes: the photo of each of the other post's passages, by the passage's id.
    /// - Returns: how many were taken, and how many are wanted and not there, damaged or too large.
    package func takePictures(
        _ hashes: [UUID: String], for store: Store, into pictures: OtherPostPictures
    ) throws -> (taken: Int, missing: Int) {
        var wanted: [String: UUID] = [:]
        for stored in try store.violations.list(limit: OtherPostPictures.most) {
            for id in [stored.violation.entryClientID, stored.violation.exitClientID] where !pictures.has(id) {
                if let hash = hashes[id] { wanted[hash.lowercased()] = id }
            }
        }
        guard !wanted.isEmpty else { return (0, 0) }
        let folder = URL(fileURLWithPath: path)
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            throw AdvisedError("The folder \(path) can't be read.", hint: "Check the path given with --photos.")
        }
        var taken = 0
        for case let file as URL in files.prefix(Self.mostFiles) {
            guard let id = wanted[file.deletingPathExtension().lastPathComponent],
                let data = try? Data(contentsOf: file),
                PhotoStore.sha256(of: data) == file.deletingPathExtension().lastPathComponent,
                !pictures.has(id), (try? pictures.keep(data, of: id)) != nil
            else { continue }
            taken += 1
        }
        return (taken, wanted.count - taken)
    }
}
