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

    /// What the file says. While it has a mistake a box runs with the configuration that it last came up with, and so does whoever asks it.
    ///
    /// - Parameter say: tells of the mistake.
    package func configurationInUse(saying say: (String) -> Void) throws -> Configuration {
        do {
            return try configuration()
        } catch let error as ConfigurationError {
            guard Presence.of(configPath) != .absent, var kept = KeptConfiguration(of: configPath).read()?.configuration
            else { throw error }
            say("\(error)\nUntil that is mended, this uses the configuration that the box last came up with.")
            kept.dataFolder = DataHome(kept).current
            return kept
        }
    }

    func written() throws -> Configuration { try ConfigurationReader.read(path: configPath) }

    /// Whether one was named, or is in its usual place.
    package var hasConfiguration: Bool { config != nil || Presence.of(configPath) != .absent }

    /// That of the database that was named; nil where none was.
    package var folderOfDatabase: String? {
        database.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    }

    /// The folder of the database that was named, or the configured one.
    package func dataFolder() throws -> String { try folderOfDatabase ?? configuration().dataFolder }

    package func databasePath() throws -> String {
        try database ?? configuration().databasePath
    }

    /// The data folder as far as it can be known: where the configuration can't be read, the usual one, if a box has run there.
    package func folder(_ configuration: Configuration?) -> String? {
        if let folderOfDatabase { return folderOfDatabase }
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
