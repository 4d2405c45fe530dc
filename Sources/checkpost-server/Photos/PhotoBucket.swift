import Foundation

/// Photos in a bucket of S3-compatible storage: `ab/abcdef…`, as in a folder.
///
/// What is read goes through a file of this machine first, which has no name: so a slow reader holds no memory, and nothing is answered
/// before its hash is known. A photo that still lies in the folder of the time before the bucket is found there (``PhotoMover``).
struct PhotoBucket: PhotoStorage {
    let bucket: S3Bucket
    /// What is there still, and where what is being read lies.
    let former: PhotoFolder

    /// As many bytes as `limits.photo_bytes` can ever be.
    private static let mostBytes = 64 << 20
    private static let mostListed = 1000

    func put(_ data: Data, as hash: String) throws {
        guard try bucket.size(of: Self.name(hash)) != data.count else { return }
        try bucket.put(data, as: Self.name(hash))
    }

    func size(of hash: String) throws -> Int? { try bucket.size(of: Self.name(hash)) ?? former.size(of: hash) }

    func open(_ hash: String) throws -> OpenPhoto? {
        let file = try FileHandle.withoutName(in: former.folder)
        let bytes = try bucket.get(Self.name(hash), into: file, most: Self.mostBytes)
        return try bytes.map { OpenPhoto(file: file, bytes: $0) } ?? former.open(hash)
    }

    func remove(_ hash: String) throws {
        try bucket.remove(Self.name(hash))
        try former.remove(hash)
    }

    /// Of the bucket. The names are in the order of their hashes, since each begins with its folder; what else lies there is passed over.
    func hashes(after: String, most: Int) throws -> [String] {
        var last = after.isEmpty ? "" : Self.name(after)
        while true {
            let names = try bucket.names(under: "", after: last, most: min(most, Self.mostListed))
            guard let end = names.last else { return [] }
            let found = names.filter { $0.count == 67 && Self.name(String($0.suffix(64))) == $0 }
            if !found.isEmpty { return found.map { String($0.suffix(64)) } }
            last = end
        }
    }

    /// The bytes that the bucket has, if they are those of their name.
    func inBucket(_ hash: String) throws -> Data? {
        let file = try FileHandle.withoutName(in: former.folder)
        guard try bucket.get(Self.name(hash), into: file, most: Self.mostBytes) != nil else { return nil }
        let bytes = try file.readToEnd() ?? Data()
        return PhotoStore.hash(of: bytes) == hash ? bytes : nil
    }

    func removeFromBucket(_ hash: String) throws { try bucket.remove(Self.name(hash)) }

    var trouble: String? { bucket.trouble?.description }
    func probe() { bucket.probe() }

    private static func name(_ hash: String) -> String { "\(hash.prefix(2))/\(hash)" }
}

extension FileHandle {
    /// A new file that only this handle knows: it goes with it.
    static func withoutName(in folder: String) throws -> FileHandle {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var path = Array((folder + "/.reading-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: folder]) }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
