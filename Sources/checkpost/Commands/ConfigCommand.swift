import ArgumentParser
import Foundation

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check and explain the configuration.",
        subcommands: [ConfigCheckCommand.self, ConfigSampleCommand.self])
}

struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Name every mistake in the configuration, with its line and what is allowed.",
        discussion: "Exits with 1 when there is one. What the appliance can start with is only advice.")

    @Argument(help: "The file. Without it, the one that `run` would read.", completion: .file())
    var file: String?

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Report: Encodable {
        struct Mistake: Encodable {
            let line: Int?
            let problem: String
            let allowed: String
        }

        let file: String
        let mistakes: [Mistake]
        var advice: [String] = []
    }

    func run() throws {
        let path = file ?? store.configPath
        do {
            let configuration = try ConfigurationReader.read(path: path)
            if json { return try Output.printJSON(Report(file: path, mistakes: [], advice: configuration.advice)) }
            let cameras = configuration.cameras.map { "\($0.name) (\($0.kind))" }.joined(separator: ", ")
            print(
                "\(path) is right: post \(configuration.post.code), cameras \(cameras), data in \(configuration.dataFolder)."
            )
            configuration.advice.forEach { print("  \($0)") }
        } catch let error as ConfigurationError {
            if json {
                try Output.printJSON(
                    Report(
                        file: path,
                        mistakes: error.mistakes.map { .init(line: $0.line, problem: $0.problem, allowed: $0.allowed) })
                )
            } else {
                Output.note(error.description)
            }
            throw ExitCode(1)
        }
    }
}

struct ConfigSampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample", abstract: "Print a commented sample configuration with every key.")

    func run() throws {
        print(ConfigurationSample.text)
    }
}
