import ArgumentParser
import CVersion
import Foundation

/// The park's server. Every subcommand reads the same configuration file.
@main
struct CheckpostServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpost-server",
        abstract: "The park's server: takes the passages of the checkposts, matches them and finds violations.",
        discussion: """
            The first time:

              checkpost-server init                 writes a configuration with new secrets
              checkpost-server migrate              makes the tables
              checkpost-server seed                 adds the pilot: Banke National Park, BNP-A and BNP-B
              checkpost-server user add warden@bnp.local --role admin --name "The warden"
              checkpost-server keys --env           prints what a checkpost's configuration needs
              checkpost-server run                  serves

            Exit status: 0 done, 1 failed, 2 wrong use.
            """,
        version: String(cString: checkpost_version()) + " (commit " + String(cString: checkpost_commit()) + ")",
        subcommands: [
            RunCommand.self, InitCommand.self, MigrateCommand.self, SeedCommand.self, KeysCommand.self,
            UserCommand.self, CheckOverstayCommand.self, ReportCommand.self, UpdateCommand.self, BackupCommand.self,
            RestoreCommand.self, RetentionCommand.self, PhotosCommand.self, BoxSeedCommand.self,
        ],
        defaultSubcommand: nil)

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            // Help and version are no failures; every mistake in the arguments is a wrong use.
            let code = exitCode(for: error)
            let status = code == .success ? 0 : code == .validationFailure ? 2 : code.rawValue
            let message = Self.plainText(of: error) ?? fullMessage(for: error)
            if !message.isEmpty {
                (status == 0 ? FileHandle.standardOutput : .standardError).write(Data((message + "\n").utf8))
            }
            Foundation.exit(status)
        }
    }
}

extension CheckpostServer {
    /// What to do, for errors of the database that come of a step that was left out.
    private static func plainText(of error: any Error) -> String? {
        guard let state = (error as? PostgresError)?.sqlState, ["42P01", "42883", "42703", "3F000"].contains(state)
        else {
            return nil
        }
        return "Error: The database has no tables yet, or older ones. Run `checkpost-server migrate` first."
    }
}

/// Where the configuration is; an option of every subcommand.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help:
            "The configuration file. Default: $CHECKPOST_SERVER_CONFIG, else /etc/checkpost-server/checkpost-server.toml."
    )
    var config: String?

    /// A folder of its own: that of a box on the same machine is the box's, whose user must not read the park's secrets.
    var path: String {
        config ?? ProcessInfo.processInfo.environment["CHECKPOST_SERVER_CONFIG"]
            ?? "/etc/checkpost-server/checkpost-server.toml"
    }

    func settings() throws -> Settings {
        try SettingsFile.settings(path: path)
    }

    /// A connection as the owner of the tables.
    func ownerConnection() throws -> PostgresConnection {
        let settings = try settings()
        return try PostgresConnection(url: (settings.ownerURL ?? settings.databaseURL).revealed)
    }

    /// A transaction with the rights of the service: the owner may call what is its own; the gateway's login is nothing by itself.
    func asService<Value>(
        _ connection: PostgresConnection, _ settings: Settings, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try connection.transaction { connection in
            if settings.ownerURL == nil { try connection.run("select set_config('role', 'service_role', true)") }
            return try body(connection)
        }
    }
}
