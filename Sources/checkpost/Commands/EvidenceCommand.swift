import Appliance
import ArgumentParser
import Enforcement
import Storage

struct EvidenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence", abstract: "Export what a court can verify of a violation; the key that signs it.",
        subcommands: [Export.self, Key.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Write a violation's pictures, record, signed entries and the steps to verify them into a folder.",
            discussion: """
                What the other post signed is asked of the server. STEPS.txt says how a clerk verifies all of it with openssl, sha256sum \
                and a pocket calculator. Exits with 1 when something is missing; the folder is written all the same, and says what.

                Example: checkpost evidence export 3f2a --to /media/stick/case-117
                """)

        @OptionGroup var store: StoreOptions

        @Argument(help: ArgumentHelp("The violation's id, or how it begins.", valueName: "violation"))
        var violation: String

        @Option(help: ArgumentHelp("A folder that isn't there yet, or is empty.", valueName: "folder"))
        var to: String

        func run() throws {
            let database = try store.openStore()
            let export = EvidenceExport(try store.configuration(orPilotFor: database), store: database)
            let report = try export.write(violation, into: to, at: BoxClock.now)
            print("\(to): \(Output.count(report.files, "file")). STEPS.txt says how to verify them.")
            report.problems.forEach(Output.note)
            if !report.problems.isEmpty { throw ExitCode(1) }
        }
    }

    struct Key: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the public part of the key that signs the evidence, or change the key.",
            discussion: "The warden's report shows the same first digits. The private part never leaves the box.")

        @OptionGroup var store: StoreOptions

        @Flag(help: "Sign with a new key from now on. The old one signs that.")
        var change = false

        func run() throws {
            let evidence = try store.openStore().evidence
            let key = change ? try evidence.changeKey(at: BoxClock.now) : try evidence.currentKey()
            if change { FolderOwner.give(everythingIn: evidence.keys.folder.path, of: try store.dataFolder()) }
            print(key ?? "There is no key yet: `checkpost run` makes one.")
        }
    }
}
