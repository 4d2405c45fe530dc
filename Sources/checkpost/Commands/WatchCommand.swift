import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Setup
import Watch

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "The console as text, for a terminal, SSH or a serial line.",
        discussion: """
            Signs in at the box's console and shows passages, reviews and alerts; the terminal's bell sounds an alert until \
            somebody has touched it. It needs 80 columns and 24 rows. Keys stand in the last line. When the connection to the \
            console is lost it goes on trying.
            """)

    @OptionGroup var store: StoreOptions
    @Option(help: "The console's address. Without it, that of this box.") var url: String?
    @Option(help: "The user name; asked for otherwise.") var user: String?
    @Option(help: "Trust the certificate in this PEM file. Without it, the box's own, or the system's with --url.")
    var certificate: String?

    func run() throws {
        let (address, own) = try url.map { ($0, nil) } ?? self.address()
        let client = WatchClient(url: address, certificateFile: certificate ?? own)
        let user = self.user ?? SecretPromptLine.ask("User: ") ?? ""
        let password = SecretPrompt.ask("Password: ") ?? ""
        do {
            try client.signIn(user, password)
        } catch {
            throw AdvisedError("\(error)", hint: "Check name and password, and that the console runs.")
        }
        guard let terminal = WatchTerminal() else {
            throw AdvisedError("This is no terminal.", hint: "Start it in one, or use the page.")
        }
        WatchSession(client, terminal).run()
    }

    /// This box's console, and its certificate if it has one.
    private func address() throws -> (url: String, certificate: String?) {
        guard let console = try store.configuration().console else {
            throw AdvisedError(
                "No console is configured.", hint: "Add [console] to \(store.configPath), or give --url.")
        }
        let host = ["0.0.0.0", "::", "localhost"].contains(console.address) ? "127.0.0.1" : console.address
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return ("\(console.hasTLS ? "https" : "http")://\(bracketed):\(console.port)", console.certificatePath)
    }
}

/// Asks for something that may be seen.
enum SecretPromptLine {
    static func ask(_ prompt: String) -> String? {
        FileHandle.standardError.write(Data(prompt.utf8))
        return readLine()
    }
}
