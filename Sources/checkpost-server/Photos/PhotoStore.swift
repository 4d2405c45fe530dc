import Crypto
import Foundation

/// The bytes of the photos: files named by their content, in one folder.
///
/// The table storage.objects says which file a photo is; its row level security says who may have it. A file is written, and is on the
/// disk, before the row that names it is committed, so a row never names half a photo.
package struct PhotoStore: Sendable {
    package let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    /// Stores the bytes and returns their SHA-256 in hexadecimal, by which they are found again.
    package func store(_ data: Data) throws -> String {
        let hash = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
        let url = url(hash)
        if FileManager.default.fileExists(atPath: url.path) { return hash }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let temporary = url.appendingPathExtension(UUID().uuidString)
        guard
            FileManager.default.createFile(
                atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o640])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: temporary.path]) }
        do {
            let file = try FileHandle(forWritingTo: temporary)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            // Renaming is atomic: another upload of the same bytes makes the same file.
            guard rename(temporary.path, url.path) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
            }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
        return hash
    }

    /// The bytes with that SHA-256; nil when there are none.
    package func load(_ hash: String) -> Data? {
        guard hash.count == 64, hash.allSatisfy(\.isHexDigit) else { return nil }
        return try? Data(contentsOf: url(hash))
    }

    package func remove(_ hash: String) {
        guard hash.count == 64, hash.allSatisfy(\.isHexDigit) else { return }
        try? FileManager.default.removeItem(at: url(hash))
    }

    /// Two levels, so that no folder has too many files.
    private func url(_ hash: String) -> URL {
        URL(fileURLWithPath: folder).appendingPathComponent(String(hash.prefix(2))).appendingPathComponent(hash)
    }
}
