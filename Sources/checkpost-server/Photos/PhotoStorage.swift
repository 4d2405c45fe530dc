import Foundation

/// Where the bytes of photos lie: each under its SHA-256 in hexadecimal, and nothing else. Every call may block.
///
/// What is out of reach is an ``S3Outage``; it says nothing of what is there.
package protocol PhotoStorage: Sendable {
    /// Stores the bytes, whole for whoever reads at the same time. It returns when a power cut can't take them away any more. What is there
    /// with as many bytes stays.
    func put(_ data: Data, as hash: String) throws

    /// How many bytes a photo has; nil when there is none.
    func size(of hash: String) throws -> Int?

    /// Nil when there is none.
    func open(_ hash: String) throws -> OpenPhoto?

    /// What is not there is removed already.
    func remove(_ hash: String) throws

    /// Hashes in their order, after this one, so many at most; an empty list at the end.
    func hashes(after: String, most: Int) throws -> [String]

    /// What is wrong with it now, in words for the log; nil while nothing is known to be.
    var trouble: String? { get }

    /// Asks it for something small, so that ``trouble`` is of now.
    func probe()
}

extension PhotoStorage {
    /// The bytes of a photo, if they are there and are still the ones of their name.
    func whole(_ hash: String) throws -> Data? {
        guard let bytes = try open(hash)?.rest() else { return nil }
        return PhotoStore.hash(of: bytes) == hash ? bytes : nil
    }
}

/// A photo that is being read.
package struct OpenPhoto: Sendable {
    package let bytes: Int
    private let file: FileHandle

    init(file: FileHandle, bytes: Int) {
        self.file = file
        self.bytes = bytes
    }

    /// The next piece, of so many bytes at most; empty at the end.
    package func next(_ most: Int) throws -> Data {
        try file.read(upToCount: most) ?? Data()
    }

    /// All that follows.
    package func rest() throws -> Data { try file.readToEnd() ?? Data() }

    /// The SHA-256 of all of it. It is read from its beginning afterwards.
    package func hash() throws -> String {
        defer { try? file.seek(toOffset: 0) }
        return try PhotoStore.hash { try next(1 << 18) }
    }
}
