import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct SeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Begin a new box with what another box of the road has, instead of reading it all over the link.",
        subcommands: [Make.self, Take.self])

    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a signed file with road, limits, lists, and the passages that matching needs.",
            discussion: """
                For the box at the other end of the road, or with --for for another box of this post. The queue, accounts of the box and \
                secrets stay here. It is signed with the key of the evidence, whose digits are shown: the new box asks for them.

                Example: sudo checkpost seed make /media/stick/bnp-b.seed
                """)

        @OptionGroup var store: StoreOptions

        @Argument(help: "The file to write.", completion: .file()) var file: String

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("The post of the new box. Without it, the other post.", valueName: "code"))
        var post: String?

        @Flag(
            help:
                "For a box of this post: the server's accounts go along, with what they sign in with. Keep the file safe."
        )
        var accounts = false

        func run() throws {
            let database = try store.openStore()
            var progress = SeedProgress()
            let made = try SeedMaker(try store.configuration(), store: database)
                .make(file, for: post, hasAccounts: accounts, at: BoxClock.now) { progress.show($0, of: $1) }
            let accounts = made.accounts > 0 ? ", \(Output.count(made.accounts, "account"))" : ""
            print(
                "\(file): for \(made.forPost), \(Output.count(made.passages, "passage")), \(made.listed) listed plates\(accounts), "
                    + "\(Output.bytes(made.bytes)).")
            print("Signed with \(made.key.prefix(16)): the new box asks for these digits.")
            if !made.hasMarks {
                Output.note("The server gives its rows no numbers: the new box reads it from the start.")
            }
        }
    }

    struct Take: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a seed, and take it into this box.",
            discussion: """
                It has to be whole, for this post and road, at most 14 days old, and signed with the key whose first 16 \
                digits the other box showed. Afterwards only what is newer comes over the link. Taking it once more changes nothing; after a \
                power cut the same command goes on.

                Example: sudo checkpost seed take /media/stick/bnp-b.seed --key 3f2a91c07be41d55
                """)

        @OptionGroup var store: StoreOptions

        @Argument(help: "The file.", completion: .file()) var file: String

        @Option(
            help: ArgumentHelp("The first 16 digits of the key, as the other box showed them.", valueName: "digits"))
        var key: String?

        func validate() throws {
            if let key, key.count < 16 { throw ValidationError("--key takes 16 digits at least.") }
        }

        func run() throws {
            let database = try store.openStore(making: true)
            let taker = SeedTaker(try store.configuration(), store: database)
            let seed = try taker.check(file, at: BoxClock.now)
            Output.note(
                "A seed of \(seed.madeBy), made \(seed.madeAt.nepalText), with \(Output.count(seed.passages, "passage")), signed with "
                    + "\(seed.key.prefix(16)).")
            try confirm(seed.key)
            var progress = SeedProgress()
            let taken = try taker.take(seed, at: BoxClock.now) { progress.show($0, of: $1) }
            print(
                "Taken: \(taken.added) passages (\(taken.known) were known), \(taken.listed) listed plates, \(taken.accounts) accounts. "
                    + (taken.goesOn
                        ? "Only what is newer comes over the link." : "The server is read from the start all the same.")
            )
        }

        private func confirm(_ signing: String) throws {
            if let key {
                guard signing.hasPrefix(key.lowercased()) else {
                    throw AdvisedError(
                        "It is signed with \(signing.prefix(16)), not with \(key).",
                        hint: "Read the digits at the box that made it: `checkpost evidence key`.")
                }
                return
            }
            guard isatty(STDIN_FILENO) == 1 else {
                throw AdvisedError(
                    "Nobody can be asked here: nothing was done.", hint: "Add --key with the digits of the other box.")
            }
            guard try ConsentOptions.asks("Did whoever made it show these digits?") else {
                Output.note("Nothing was done.")
                throw ExitCode(1)
            }
        }
    }
}

/// How far a seed is, on the standard error: a line each tenth.
private struct SeedProgress {
    private var shown = 0

    mutating func show(_ done: Int, of total: Int) {
        let tenth = total > 0 ? done * 10 / total : 10
        guard tenth > shown else { return }
        shown = tenth
        Output.note("\(done) of \(total) passages")
    }
}
