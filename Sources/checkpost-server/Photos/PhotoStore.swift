import Crypto
import Foundation
import Logging

/// The photos, wherever their bytes lie, with the small pictures of them.
///
/// The table storage.objects says which bytes a photo is; its row level security says who may have it. A photo is stored before the row that
/// names it is committed, so a row never names half a photo or none. What is read is compared with its hash: a disk forgets.
package struct PhotoStore: Sendable {
    let storage: any PhotoStorage
    let folder: String
    let small: SmallPictures

    /// - Parameter folder: of this machine, for small pictures, and for what is being read.
    init(_ storage: any PhotoStorage, folder: String) {
        (self.storage, self.folder) = (storage, folder)
        small = SmallPictures(folder: folder + "/small")
    }

    package init(folder: String) { self.init(PhotoFolder(folder), folder: folder) }

    /// As the configuration says it.
    ///
    /// - Throws: ``Settings/Mistake`` when the secret key can't be read.
    package init(_ settings: Settings, log: Logger? = nil) throws {
        guard let place = settings.photoBucket else {
            self.init(folder: settings.photoFolder)
            return
        }
        let bucket = try S3Bucket(place, patience: settings.photoPatience) { outage in
            if let outage {
                log?.error("the storage of the photos can't be used", metadata: ["why": "\(outage)"])
            } else {
                log?.info("the storage of the photos answers again")
            }
        }
        self.init(PhotoBucket(bucket: bucket, former: PhotoFolder(settings.photoFolder)), folder: settings.photoFolder)
    }

    /// The SHA-256 in hexadecimal, by which a photo is found again.
    package static func hash(of data: Data) -> String { SHA256.hash(data: data).hexadecimal }

    /// - Parameter next: gives pieces until an empty one.
    static func hash(_ next: () throws -> Data) throws -> String {
        var hash = SHA256()
        while true {
            let piece = try next()
            guard !piece.isEmpty else { return hash.finalize().hexadecimal }
            hash.update(data: piece)
        }
    }

    private static func isHash(_ text: String) -> Bool {
        text.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }

    /// Stores the bytes under their hash. It returns when a power cut can't take them away any more.
    package func store(_ data: Data, hash: String) throws { try storage.put(data, as: hash) }

    /// How many bytes the photo with that hash has; nil when there is none.
    package func size(_ hash: String) throws -> Int? { Self.isHash(hash) ? try storage.size(of: hash) : nil }

    /// The photo with that SHA-256, to be read from its beginning.
    package func open(_ hash: String) throws -> Found {
        guard Self.isHash(hash), let photo = try storage.open(hash) else { return .none }
        return try photo.hash() == hash ? .whole(photo) : .damaged
    }

    package enum Found: Sendable {
        case whole(OpenPhoto)
        /// The bytes are not the ones of their name.
        case damaged
        case none
    }

    /// The bytes of a photo, if they are there and are still the ones of their name.
    package func whole(_ hash: String) throws -> Data? {
        Self.isHash(hash) ? try storage.whole(hash) : nil
    }

    package func remove(_ hash: String) throws {
        guard Self.isHash(hash) else { return }
        try storage.remove(hash)
        small.remove(hash)
    }
}
