import Foundation

/// A database as the program makes it, made once a process and copied: all its migrations take longer than many a test.
package enum FreshDatabase {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var made: Data?

    /// - Parameter make: makes one at a path and closes it.
    package static func place(at path: String, _ make: (String) throws -> Void) throws {
        // A box that starts once more has one.
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let data = try lock.withLock {
            if let made { return made }
            let draft = FileManager.default.temporaryDirectory.appendingPathComponent(
                "checkpost-fresh-\(UUID().uuidString)"
            ).path
            defer { for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) } }
            try make(draft)
            let data = try Data(contentsOf: URL(fileURLWithPath: draft))
            made = data
            return data
        }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
