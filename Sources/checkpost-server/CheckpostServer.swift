import ArgumentParser
import CPostgres
import Crypto
import Hummingbird
import Logging
import ServiceLifecycle
import TOMLKit

@main
struct CheckpostServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "checkpost-server")
    mutating func run() async throws { print(PQlibVersion()) }
}
