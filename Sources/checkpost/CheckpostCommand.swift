import ArgumentParser

@main
struct CheckpostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpost",
        abstract: "Records vehicles at a checkpost and enforces average speed.",
        version: Version.text,
        subcommands: [
            RunCommand.self, StatusCommand.self, ReadCommand.self, ReplayCommand.self, PassagesCommand.self,
            ViolationsCommand.self, ExportCommand.self,
            ImportCommand.self, ExemptCommand.self, ConfigCommand.self, SetupCommand.self,
        ])
}
