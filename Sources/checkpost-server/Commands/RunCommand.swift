import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serves until it is told to stop (SIGTERM or SIGINT).",
        discussion: "Requests under way are answered before it ends. The database must have been migrated.")

    @OptionGroup var option: ConfigurationOption

    @Flag(help: "Log every detail.")
    var verbose = false

    func run() async throws {
        let settings = try option.settings()
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var log = Logger(label: "checkpost-server")
        log.logLevel = verbose ? .debug : .info
        let gateway = try await Gateway(settings, log: log)
        let server = GatewayServer(gateway) { port in
            // One line for whoever started it and waits: a script, a test, a person.
            FileHandle.standardOutput.write(Data("listening on http://\(settings.host):\(port)\n".utf8))
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: log))
        try await group.run()
    }
}
