import Crypto
import Enforcement
import Foundation

/// The folder of frames that are kept as evidence: `<data folder>/photos/2026-11-21/<sha256>.jpg`, by the UTC day of capture.
///
/// A photo is on the disk before the row that refers to it. What a crash leaves in between is an orphan, and is removed later.
package struct PhotoStore: Sendable {
    /// The data folder.
    package let folder: URL

    package init(folder: URL) {
        self.folder = folder
    }

    /// Writes a picture as the camera gave it and returns once it is on the disk. A picture that is there is not written
    /// again.
    ///
    /// - Parameter smaller: what is written in its stead where the disk is short of room; it is named by the hash of the picture that
    ///   it shows all the same.
    /// - Throws: `StoreError`; of kind `diskFull` when there is no room, so that the passage can be recorded without it.
    @discardableResult
    package func keep(
        _ picture: Data, smaller: Data? = nil, recordedAt: Instant, at now: Instant
    ) throws -> PhotoRecord {
        let written = smaller ?? picture
        let type = PictureType(of: written)
        let sha256 = Self.sha256(of: picture)
        let path = "photos/\(CivilTime(recordedAt).dateText)/\(sha256).\(type.fileExtension)"
        let record = PhotoRecord(
            sha256: sha256, path: path, bytes: written.count, mediaType: type.mediaType, keptAt: now,
            keptSHA256: smaller.map(Self.sha256(of:)))
        let file = url(of: path)
        do {
            if (try? Data(contentsOf: file)) == written {
                // It may be an orphan of a crash: dated anew, it is left alone until its row is there.
                try DurableFile.touch(file)
                return record
            }
            try DurableFile.makeFolder(file.deletingLastPathComponent(), below: folder)
            try DurableFile.write(written, to: file)
        } catch let error as DurableFile.Failure {
            throw Self.storeError(error)
        }
        return record
    }

    package func read(_ record: PhotoRecord) throws -> Data {
        do {
            return try Data(contentsOf: url(of: record.path))
        } catch {
            throw StoreError(
                .unknown, "The photo \(record.path) can't be read: \(error.localizedDescription).",
                hint: "It may have been removed or its disk may be failing; the passage itself is not lost.")
        }
    }

    /// Whether the file still has the bytes that its hash was taken of.
    package func verify(_ record: PhotoRecord) throws -> Bool {
        Self.sha256(of: try read(record)) == record.keptSHA256 ?? record.sha256
    }

    /// Removes a photo's file. One that is gone already is no error.
    package func remove(_ record: PhotoRecord) throws {
        try remove(path: record.path)
    }

    func remove(path: String) throws {
        do {
            try DurableFile.remove(url(of: path))
        } catch let error as DurableFile.Failure {
            throw Self.storeError(error)
        }
    }

    package static func sha256(of picture: Data) -> String {
        SHA256.hash(data: picture).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    func url(of path: String) -> URL { folder.appendingPathComponent(path) }

    static func storeError(_ failure: DurableFile.Failure) -> StoreError {
        let message = "\(failure.tried) \(failure.path) failed: \(failure.reason)."
        switch failure.code {
        case ENOSPC, EDQUOT:
            return StoreError(
                .diskFull, message,
                hint: "The disk is full: passages are recorded without their photos. Free space on it.")
        case EACCES, EPERM, EROFS:
            return StoreError(
                .readOnly, message, hint: "Make the photo folder writable for the user that runs checkpost.")
        default:
            return StoreError(.other, message)
        }
    }
}

/// What a picture's first bytes say it is.
package struct PictureType: Equatable {
    package var fileExtension: String
    var mediaType: String

    package init(of picture: Data) {
        let head = Array(picture.prefix(4))
        switch head {
        case _ where head.starts(with: [0xFF, 0xD8]): self.init("jpg", "image/jpeg")
        case [0x89, 0x50, 0x4E, 0x47]: self.init("png", "image/png")
        case _ where head.count > 1 && head[0] == 0x50 && (0x31...0x36).contains(head[1]):
            self.init("pnm", "image/x-portable-anymap")
        default: self.init("bin", "application/octet-stream")
        }
    }

    private init(_ fileExtension: String, _ mediaType: String) {
        self.fileExtension = fileExtension
        self.mediaType = mediaType
    }
}
