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
            console is lost it goes on trying. It speaks English or Nepali: n changes it; without --language the environment's \
            LANG counts. Nepali needs a terminal with Devanagari letters. A PIN is taken at the box itself.
            """)

    @OptionGroup var store: StoreOptions
    @Option(help: "The console's address. Without it, that of this box.") var url: String?
    @Option(help: "The user name; asked for otherwise.") var user: String?
    @Option(help: "Trust the certificate in this PEM file. Without it, the box's own, or the system's with --url.")
    var certificate: String?
    @Option(help: "en or ne.") var language: String?

    func validate() throws {
        guard language.map(["en", "ne"].contains) ?? true else { throw ValidationError("--language is en or ne.") }
    }

    func run() throws {
        // Asked before the password, which nobody could type.
        guard WatchTerminal.isThere else { throw Self.noTerminal }
        let (address, own) = try url.map { ($0, nil) } ?? self.address()
        let texts = WatchTexts.watching(in: language)
        let client = WatchClient(url: address, certificateFile: certificate ?? own, language: texts.language)
        let user = self.user ?? SecretPrompt.askOpenly(texts["ask_user"]) ?? ""
        try client.signIn(user, saying: Output.note) { SecretPrompt.ask(texts["ask_secret"]) ?? "" }
        guard let terminal = WatchTerminal() else { throw Self.noTerminal }
        WatchSession(client, terminal).run()
    }

    private static let noTerminal = AdvisedError("This is no terminal.", hint: "Start it in one, or use the page.")

    /// This box's console, and its certificate if it has one.
    private func address() throws -> (url: String, certificate: String?) {
        guard let console = try store.configuration().console else {
            throw AdvisedError(
                "No console is configured.", hint: "Add [console] to \(store.configPath), or give --url.")
        }
        return (console.localURL, console.certificatePath)
    }
}
