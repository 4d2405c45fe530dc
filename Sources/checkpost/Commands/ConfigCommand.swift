import Appliance
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
        discussion: """
            Exits with 1 when there is one. What the appliance can start with is only advice. Where a server is configured, it is \
            asked whether it knows the account and the post; a server that can't be reached is no mistake.
            """)

    @Argument(help: "The file. Without it, the one that `run` would read.", completion: .file())
    var file: String?

    @OptionGroup var store: StoreOptions

    @Flag(help: "Don't ask the server.")
    var offline = false

    @Flag(help: "Print JSON.")
    var json = false

    fileprivate struct Report: Encodable {
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
            let finding = askServer(configuration)
            let mistakes = finding.flatMap(mistake).map { [$0] } ?? []
            if json {
                try Output.printJSON(Report(file: path, mistakes: mistakes, advice: configuration.advice))
                if !mistakes.isEmpty { throw ExitCode(1) }
                return
            }
            // What the server says against it comes instead of a word that the file is right.
            if let finding, !mistakes.isEmpty {
                Output.note("\(path): \(finding.text(post: configuration.post.code))")
                throw ExitCode(1)
            }
            let cameras = configuration.cameras.map { "\($0.name) (\($0.kind))" }.joined(separator: ", ")
            print(
                "\(path) is right: post \(configuration.post.code), cameras \(cameras), data in \(configuration.dataFolder)."
            )
            configuration.advice.forEach { print("  \($0)") }
            if let finding { print("  \(finding.text(post: configuration.post.code))") }
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

extension ConfigCheckCommand {
    /// - Returns: nil when there is no server, or none is to be asked.
    private func askServer(_ configuration: Configuration) -> ServerTest.Finding? {
        guard let server = configuration.server, !offline else { return nil }
        do {
            return ServerTest(
                url: server.url, apiKey: server.anonKey, certificateFile: server.caFile, email: server.email,
                password: try SecretFile.firstLine(of: server.passwordFile),
                place: configuration.place
            ).run()
        } catch {
            return .unreachable("\(error)")
        }
    }

    private func mistake(_ finding: ServerTest.Finding) -> Report.Mistake? {
        guard case .problem(let reason) = finding else { return nil }
        return .init(line: nil, problem: reason, allowed: "what the server knows")
    }
}

struct ConfigSampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample", abstract: "Print a commented sample configuration with every key.")

    func run() throws {
        print(ConfigurationSample.text)
    }
}
