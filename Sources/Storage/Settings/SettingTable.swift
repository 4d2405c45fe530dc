import Enforcement
import Foundation
import GRDB

package enum SettingSource: String, Sendable, Codable, CaseIterable {
    case file
    case server
}

/// The park's settings as the file and the server give them.
package struct SettingTable: Table {
    let store: Store
}

extension SettingTable {
    /// The value of a setting as JSON text; the server's overrides the file's. Nil when neither has it.
    package func value(_ key: String) throws -> String? {
        try read("Reading a setting") { db in
            try String.fetchOne(
                db, cached: "SELECT value FROM settings WHERE key = ? ORDER BY source = 'server' DESC LIMIT 1",
                arguments: [key])
        }
    }

    /// All settings as JSON text by key, the server's before the file's.
    package func all() throws -> [String: String] {
        try read("Reading the settings") { db in
            var settings: [String: String] = [:]
            // 'file' comes before 'server', so the server's value is the one that stays.
            for row in try Row.fetchAll(db, cached: "SELECT key, value FROM settings ORDER BY source") {
                settings[try row.text("key")] = try row.text("value")
            }
            return settings
        }
    }

    /// Replaces all settings of a source.
    ///
    /// - Parameter settings: JSON text by key.
    package func replace(_ settings: [String: String], from source: SettingSource, at now: Instant) throws {
        try write("Storing settings") { db in
            try db.execute(cached: "DELETE FROM settings WHERE source = ?", arguments: [source.rawValue])
            for (key, value) in settings {
                try db.execute(
                    cached: "INSERT INTO settings (key, source, value, updated_at) VALUES (?, ?, ?, ?)",
                    arguments: [key, source.rawValue, value, now.milliseconds])
            }
            store.changeHub.note(.setting)
        }
    }
}
