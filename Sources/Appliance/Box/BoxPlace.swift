import Foundation

/// Where a box's configuration and records are, as far as somebody has said it.
package struct BoxPlace: Sendable {
    /// The configuration that was named.
    package var config: String?

    /// The database that was named, instead of the one in the data folder.
    package var database: String?

    package init(config: String? = nil, database: String? = nil) {
        self.config = config
        self.database = database
    }

    /// The file that was named, that `CHECKPOST_CONFIG` names, or the usual one.
    package var configPath: String {
        config ?? ProcessInfo.processInfo.environment["CHECKPOST_CONFIG"] ?? Configuration.defaultPath
    }

    /// What the file says, with the data folder that is in use now.
    package func configuration() throws -> Configuration {
        var configuration = try written()
        configuration.dataFolder = DataHome(configuration).current
        return configuration
    }

    /// The one that a box has last come up with, with the data folder that is in use now: it runs with it while the file has a mistake. Nil when
    /// the file isn't there, or none was kept.
    package func keptConfiguration() -> Configuration? {
        guard Presence.of(configPath) != .absent, var kept = KeptConfiguration(of: configPath).read()?.configuration
        else { return nil }
        kept.dataFolder = DataHome(kept).current
        return kept
    }

    func written() throws -> Configuration { try ConfigurationReader.read(path: configPath) }

    /// Whether one was named, or is in its usual place.
    package var hasConfiguration: Bool { config != nil || Presence.of(configPath) != .absent }

    /// The folder of the database that was named, or the configured one.
    package func dataFolder() throws -> String {
        try database.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? configuration().dataFolder
    }

    package func databasePath() throws -> String {
        try database ?? configuration().databasePath
    }

    /// The data folder as far as it can be known: where the configuration can't be read, the usual one, if a box has run there.
    package func folder(_ configuration: Configuration?) -> String? {
        if let database { return URL(fileURLWithPath: database).deletingLastPathComponent().path }
        if let configuration { return configuration.dataFolder }
        if let kept = KeptConfiguration(of: configPath).read() { return DataHome(kept.configuration).current }
        let usual = Configuration().dataFolder
        return RunLock.isPresent(folder: usual) ? usual : nil
    }

    /// The configuration that an appliance has started with; nil when none has left one.
    func runningConfiguration(_ folder: String) -> Configuration? {
        guard RunLock.isHeld(folder: folder),
            let text = FileManager.default.contents(atPath: RunFolder(dataFolder: folder).configuration)
        else { return nil }
        // It was read at the start; should it not be readable now, nothing is known of it, and the file's mistake is told already.
        return try? ConfigurationReader.read(
            text: String(decoding: text, as: UTF8.self), path: configPath,
            relativeTo: URL(fileURLWithPath: configPath).deletingLastPathComponent().path)
    }
}
