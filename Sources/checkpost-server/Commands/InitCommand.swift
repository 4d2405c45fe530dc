import ArgumentParser
import Enforcement
import Foundation

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a configuration file with new secrets, readable by its owner only.",
        discussion: "It never overwrites a file: a new secret would make every key and token worthless.")

    @OptionGroup var option: ConfigurationOption

    @Option(help: "How the gateway reaches PostgreSQL, as libpq takes it.")
    var databaseURL = "host=/var/run/postgresql dbname=checkpost user=checkpost-server"

    @Option(help: "How the owner of the tables reaches PostgreSQL; for migrate, seed and user.")
    var ownerURL = "host=/var/run/postgresql dbname=checkpost user=root options='-c role=checkpost_owner'"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on.")
    var port = 8000

    @Option(help: "How clients reach this server, when it isn't the address and the port.")
    var publicURL: String?

    @Option(help: "An address or network whose word on the client's address is believed; may be given more than once.")
    var trustedProxy: [String] = []

    @Option(help: "The folder of the photos.")
    var photoFolder = "/var/lib/checkpost-server/photos"

    func run() throws {
        let text = """
            # The configuration of checkpost-server. Every value is explained in deploy/server/checkpost-server.toml, which is
            # installed as /etc/checkpost-server/checkpost-server.toml.sample.

            [server]
            host = \(quoted(host))
            port = \(port)
            public_url = \(quoted(publicURL ?? "http://\(host):\(port)"))
            trusted_proxies = [\(trustedProxy.map(quoted).joined(separator: ", "))]

            [database]
            url = \(quoted(databaseURL))
            owner_url = \(quoted(ownerURL))

            [auth]
            jwt_secret = "\(Secret.random().revealed)"

            [sms]
            auth_token = "\(Secret.random().revealed)"

            [photos]
            folder = \(quoted(photoFolder))

            """
        _ = try SettingsFile.settings(toml: text)
        // Created with its mode, so that the secrets are never readable by others, and never over an existing file.
        let descriptor = open(option.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Settings.Mistake(
                description: "\(option.path) can't be written: \(String(cString: strerror(errno))). "
                    + "An existing file is kept; name another with --config.")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(text.utf8))
        try file.synchronize()
        print("Wrote \(option.path). Next: checkpost-server migrate")
    }

    /// A TOML string. What is put in quotes there must not end them.
    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }
}
