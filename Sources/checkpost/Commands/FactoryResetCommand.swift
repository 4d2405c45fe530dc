import Appliance
import ArgumentParser
import Enforcement
import Foundation

struct FactoryResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "factory-reset",
        abstract: "Make this box one that has never run: records, pictures, keys and passwords go.",
        discussion: """
            For a box that goes to another park, or out of use. It says what it will do, and asks. Where the server lacks something \
            it asks for the post's code, typed out. Stop the appliance first: systemctl stop checkpost. Backups on other media stay, \
            and so does what the server has. A disk keeps traces of what was removed: only an encrypted one doesn't.

            Examples: sudo checkpost factory-reset
                      sudo checkpost factory-reset --keep-configuration
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var consent: ConsentOptions

    @Flag(help: "Leave the configuration and its passwords.")
    var keepConfiguration = false

    @Option(
        help: ArgumentHelp(
            "The post's code, where the server lacks something and nobody can be asked.", valueName: "code"))
    var word: String?

    func validate() throws {
        if store.database != nil {
            throw ValidationError("It is for a box with its configuration: --database has no place here.")
        }
    }

    func run() throws {
        let configuration = try store.place.configuration()
        let reset = FactoryReset(configuration, configPath: store.configPath)
        reset.plan(keepingConfiguration: keepConfiguration).forEach(Output.note)
        if let loss = reset.loss() {
            Output.note(loss)
            try askForWord(configuration.post.code)
        } else {
            try consent.obtain(["The server has everything that this box recorded."], "Reset this box?")
        }
        let isWhole = try reset.run(keepingConfiguration: keepConfiguration, say: Output.note)
        if !isWhole { Output.note("Not all files are removed yet: run this again, or leave it to the next start.") }
        print(
            "Done. "
                + (keepConfiguration ? "systemctl start checkpost begins anew." : "sudo checkpost setup begins anew."))
    }

    private func askForWord(_ code: String) throws {
        var typed = word
        if typed == nil, isatty(STDIN_FILENO) == 1 {
            print("Type \(code) to go on: ", terminator: "")
            fflush(nil)
            typed = readLine()
        }
        guard typed == code else {
            throw AdvisedError(
                "Nothing was done: \(code) was not typed.",
                hint: "Let the records go first (`checkpost sync --now`), or add --word \(code).")
        }
    }
}
