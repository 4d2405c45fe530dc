import Foundation

/// What a sign-in gave.
package struct SyncTokens: Sendable, Equatable, Codable {
    package var accessToken: String
    package var refreshToken: String
    package var userID: UUID

    /// The account and server they belong to: those of another are not used.
    package var owner: String
}

// Printed tokens must not show themselves. They are encoded whole, since their file is where they are kept.
extension SyncTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "tokens of \(userID)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["userID": userID]) }
}

/// Keeps tokens in a file that only its owner may read.
package struct TokenStore: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Returns: nil when there are none of this owner, or the file makes no sense: then one signs in anew.
    package func load(owner: String) -> SyncTokens? {
        guard let data = FileManager.default.contents(atPath: path), data.count < 65_536,
            let tokens = try? JSONDecoder().decode(SyncTokens.self, from: data), tokens.owner == owner
        else { return nil }
        return tokens
    }

    /// Writes a file beside the place and renames it there, so that a crash leaves the old ones or the new ones.
    ///
    /// - Returns: whether it is on the disk. When not, the box signs in again after a restart.
    @discardableResult
    package func save(_ tokens: SyncTokens) -> Bool {
        guard let data = try? JSONEncoder().encode(tokens) else { return false }
        let temporary = path + ".part"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let isSynced = fsync(descriptor) == 0
        close(descriptor)
        guard written == data.count, isSynced, rename(temporary, path) == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    package func forget() { unlink(path) }
}
