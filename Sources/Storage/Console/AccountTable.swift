import Enforcement
import Foundation
import GRDB

/// Somebody who may use the console.
package struct User: Sendable, Equatable, Identifiable {
    package enum Role: String, Sendable, Codable, CaseIterable {
        case ranger
        case technician
    }

    package enum Origin: String, Sendable, Codable, CaseIterable {
        /// Made on this box.
        case box
        /// The server vouched for the first sign-in.
        case server
    }

    /// What somebody proves by who they are. Each has a lock of its own: a PIN is asked at the post's own screen only, and whoever
    /// guesses passwords from elsewhere must not keep a ranger from that screen.
    package enum Secret: String, Sendable, CaseIterable {
        case password
        case pin
    }

    /// Lower-case.
    package var name: String
    package var fullName: String
    package var role: Role
    package var origin: Origin

    /// As `PasswordHash` of the console writes them; nil when that way in is closed.
    package var passwordHash: String?
    package var pinHash: String?

    package var passwordLock = SignInLock()
    package var pinLock = SignInLock()

    /// What the server said last; nil for an account of this box.
    package var standing: ServerStanding?
    package var createdAt: Instant
    package var lastSignInAt: Instant?
    package var id: String { name }

    package init(
        name: String, fullName: String, role: Role, origin: Origin, passwordHash: String?, pinHash: String? = nil,
        createdAt: Instant
    ) {
        self.name = name.lowercased()
        self.fullName = fullName
        self.role = role
        self.origin = origin
        self.passwordHash = passwordHash
        self.pinHash = pinHash
        self.createdAt = createdAt
    }

    package func lock(of secret: Secret) -> SignInLock { secret == .password ? passwordLock : pinLock }

    /// Whether a name can be one: 1 to 64 small letters, digits, dots, dashes, underscores and at signs.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || "._-@".utf8.contains($0)
            }
    }
}

/// A browser that somebody has signed in with.
package struct Session: Sendable, Equatable {
    package var tokenSHA256: String
    package var userName: String
    package var createdAt: Instant
    package var lastSeenAt: Instant
    package var expiresAt: Instant

    package init(tokenSHA256: String, userName: String, createdAt: Instant, expiresAt: Instant) {
        self.tokenSHA256 = tokenSHA256
        self.userName = userName
        self.createdAt = createdAt
        lastSeenAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// People who sign in at this post, their sessions, and what the server says of them.
package struct AccountTable: Table {
    let store: Store
}

extension AccountTable {
    /// All users, by name.
    package func users() throws -> [User] {
        try read("Reading the users") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM users ORDER BY name").map(Self.user)
        }
    }

    package func user(_ name: String) throws -> User? {
        try read("Reading a user") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM users WHERE name = ?", arguments: [name.lowercased()])
                .map(Self.user)
        }
    }

    /// - Throws: `StoreError` of kind `refused` when the name is taken.
    package func add(_ user: User) throws {
        try write("Adding a user") { db in
            try db.execute(
                cached: """
                    INSERT INTO users (name, full_name, role, origin, password_hash, pin_hash, created_at, server_is_open,
                        server_asked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user.name, user.fullName, user.role.rawValue, user.origin.rawValue, user.passwordHash, user.pinHash,
                    user.createdAt.milliseconds, user.standing?.isOpen, user.standing?.askedAt.milliseconds,
                ])
        }
    }

    /// Replaces the hashes that are given, opens the locks and ends the user's sessions.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such user.
    package func setSecrets(ofUser name: String, passwordHash: String? = nil, pinHash: String? = nil) throws {
        try write("Changing a user's password") { db in
            try db.execute(
                cached: """
                    UPDATE users SET password_hash = coalesce(?, password_hash), pin_hash = coalesce(?, pin_hash),
                        failure_count = 0, locked_until = NULL, pin_failure_count = 0, pin_locked_until = NULL
                    WHERE name = ?
                    """, arguments: [passwordHash, pinHash, name.lowercased()])
            guard db.changesCount == 1 else { throw Self.noUser(name) }
            try db.execute(cached: "DELETE FROM sessions WHERE user_name = ?", arguments: [name.lowercased()])
        }
    }

    /// Removes a user with all sessions. What they recorded keeps their name.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such user.
    package func remove(_ name: String) throws {
        try write("Removing a user") { db in
            try db.execute(cached: "DELETE FROM users WHERE name = ?", arguments: [name.lowercased()])
            guard db.changesCount == 1 else { throw Self.noUser(name) }
        }
    }

    /// Keeps what an attempt to sign in did to one of the user's locks.
    ///
    /// - Parameter change: gets the lock as it is now, inside the transaction: two attempts at once both count.
    package func changeLock(
        of secret: User.Secret, ofUser name: String, _ change: (inout SignInLock) -> Void
    ) throws {
        try write("Keeping a failed sign-in") { db in
            guard
                let row = try Row.fetchOne(
                    db, cached: "SELECT * FROM users WHERE name = ?", arguments: [name.lowercased()])
            else { return }
            var lock = try Self.user(row).lock(of: secret)
            change(&lock)
            try Self.keep(db, lock, of: secret, ofUser: name.lowercased())
        }
    }

    private static func keep(_ db: Database, _ lock: SignInLock, of secret: User.Secret, ofUser name: String) throws {
        let columns =
            secret == .password ? ("failure_count", "locked_until") : ("pin_failure_count", "pin_locked_until")
        try db.execute(
            sql: "UPDATE users SET \(columns.0) = ?, \(columns.1) = ? WHERE name = ?",
            arguments: [lock.failureCount, lock.lockedUntil?.milliseconds, name])
    }

    private static func user(_ row: Row) throws -> User {
        var user = User(
            name: try row.text("name"), fullName: try row.text("full_name"), role: try row.choice("role"),
            origin: try row.choice("origin"), passwordHash: try row.optionalText("password_hash"),
            pinHash: try row.optionalText("pin_hash"), createdAt: try row.instant("created_at"))
        user.passwordLock = SignInLock(
            failureCount: try row.integer("failure_count"), lockedUntil: try row.optionalInstant("locked_until"))
        user.pinLock = SignInLock(
            failureCount: try row.integer("pin_failure_count"), lockedUntil: try row.optionalInstant("pin_locked_until")
        )
        if let askedAt = try row.optionalInstant("server_asked_at") {
            user.standing = ServerStanding(isOpen: try row.flag("server_is_open"), askedAt: askedAt)
        }
        user.lastSignInAt = try row.optionalInstant("last_sign_in_at")
        return user
    }

    private static func noUser(_ name: String) -> StoreError {
        StoreError(.unknown, "There is no user \(name.prefix(64)).", hint: "`checkpost user list` names them.")
    }
}

extension AccountTable {
    /// How many sessions a user may have at once; the oldest goes when there is one more.
    static let maximumSessions = 20

    /// Keeps a session that begins, opens the lock of what it began with, and drops those that are over.
    package func begin(_ session: Session, with secret: User.Secret) throws {
        try write("Signing in") { db in
            try db.execute(
                cached: "DELETE FROM sessions WHERE expires_at <= ?", arguments: [session.createdAt.milliseconds])
            try db.execute(
                cached: """
                    INSERT INTO sessions (token_sha256, user_name, created_at, last_seen_at, expires_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    session.tokenSHA256, session.userName, session.createdAt.milliseconds,
                    session.lastSeenAt.milliseconds, session.expiresAt.milliseconds,
                ])
            try db.execute(
                cached: "UPDATE users SET last_sign_in_at = ? WHERE name = ?",
                arguments: [session.createdAt.milliseconds, session.userName])
            try Self.keep(db, SignInLock(), of: secret, ofUser: session.userName)
            try db.execute(
                cached: """
                    DELETE FROM sessions WHERE user_name = ?1 AND token_sha256 NOT IN (
                        SELECT token_sha256 FROM sessions WHERE user_name = ?1
                        ORDER BY token_sha256 = ?3 DESC, last_seen_at DESC LIMIT ?2)
                    """, arguments: [session.userName, Self.maximumSessions, session.tokenSHA256])
        }
    }

    /// A session that is not over, with its user.
    package func session(tokenSHA256: String, at now: Instant) throws -> (session: Session, user: User)? {
        try read("Reading a session") { db in
            let row = try Row.fetchOne(
                db, cached: "SELECT * FROM sessions WHERE token_sha256 = ? AND expires_at > ?",
                arguments: [tokenSHA256, now.milliseconds])
            guard let row,
                let user = try Row.fetchOne(
                    db, cached: "SELECT * FROM users WHERE name = ?", arguments: [try row.text("user_name")])
            else { return nil }
            var session = Session(
                tokenSHA256: tokenSHA256, userName: try row.text("user_name"), createdAt: try row.instant("created_at"),
                expiresAt: try row.instant("expires_at"))
            session.lastSeenAt = try row.instant("last_seen_at")
            return (session, try Self.user(user))
        }
    }

    /// Lets a session live on.
    package func prolong(tokenSHA256: String, until end: Instant, at now: Instant) throws {
        try write("Prolonging a session") { db in
            try db.execute(
                cached: "UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE token_sha256 = ?",
                arguments: [now.milliseconds, end.milliseconds, tokenSHA256])
        }
    }

    package func endSession(tokenSHA256: String) throws {
        try write("Signing out") { db in
            try db.execute(cached: "DELETE FROM sessions WHERE token_sha256 = ?", arguments: [tokenSHA256])
        }
    }
}
