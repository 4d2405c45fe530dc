import Enforcement
import GRDB

/// What the park's server says of its accounts. Those of this box are left alone.
extension Store {
    /// Keeps that the server lets somebody in, as whom.
    package func opened(user name: String, fullName: String, role: User.Role, at now: Instant) throws {
        try write("Keeping what the server says of an account") { db in
            try db.execute(
                cached: """
                    UPDATE users SET full_name = ?, role = ?, server_is_open = 1, server_asked_at = ?
                    WHERE name = ? AND origin = 'server'
                    """, arguments: [fullName, role.rawValue, now.milliseconds, name.lowercased()])
        }
    }

    /// Keeps that the server lets somebody in no more, and ends the account's sessions.
    package func closed(user name: String, at now: Instant) throws {
        try write("Closing an account on the server's word") { db in
            try db.execute(
                cached: "UPDATE users SET server_is_open = 0, server_asked_at = ? WHERE name = ? AND origin = 'server'",
                arguments: [now.milliseconds, name.lowercased()])
            guard db.changesCount == 1 else { return }
            try db.execute(cached: "DELETE FROM sessions WHERE user_name = ?", arguments: [name.lowercased()])
        }
    }
}
