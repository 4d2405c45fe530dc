import Enforcement
import GRDB

/// What the park's server says of its accounts. Those of this box are left alone.
extension AccountTable {
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

    /// The names of people whom the server vouched for and whom it has not closed since: of those that were not asked about since a moment.
    package func vouchedUsers(askedBefore moment: Instant, limit: Int) throws -> [String] {
        try read("Reading the people of the server") { db in
            try String.fetchAll(
                db,
                cached: """
                    SELECT name FROM users WHERE origin = 'server' AND server_is_open = 1
                        AND (server_asked_at IS NULL OR server_asked_at < ?1 OR server_asked_at > ?2)
                    ORDER BY coalesce(server_asked_at, 0), name LIMIT ?3
                    """, arguments: [moment.milliseconds, moment.milliseconds + 120_000, limit])
        }
    }

    /// Keeps that the server has vouched for somebody again. One that it closed stays closed until a password opens it.
    package func vouched(user name: String, at now: Instant) throws {
        try write("Keeping what the server says of an account") { db in
            try db.execute(
                cached:
                    "UPDATE users SET server_asked_at = ? WHERE name = ? AND origin = 'server' AND server_is_open = 1",
                arguments: [now.milliseconds, name.lowercased()])
        }
    }
}
