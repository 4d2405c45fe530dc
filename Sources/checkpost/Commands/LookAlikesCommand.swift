import Appliance
import ArgumentParser
import Enforcement
import Ranger
import Storage

struct LookAlikesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookalikes", abstract: "Judge plates of the two posts that look alike: one vehicle or two.",
        discussion: """
            Such a pair makes no violation by itself, and an overstay that it may end is doubtful until somebody has judged it. Look at \
            both pictures in the console, then

              checkpost lookalikes one 12    the other post read it right: this post's passage gets its plate
              checkpost lookalikes two 12    the pair is dropped for good
            """,
        subcommands: [LookAlikesListCommand.self, LookAlikesOneCommand.self, LookAlikesTwoCommand.self],
        defaultSubcommand: LookAlikesListCommand.self)
}

struct LookAlikesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the pairs that nobody has judged, the newest first.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a pair, each on one line.")
    var json = false

    func run() throws {
        let pairs = try store.openStore().matches.possible(limit: 1000)
        if json { return try pairs.forEach { try Output.printJSON(ListedLookAlike($0)) } }
        guard !pairs.isEmpty else { return print("No plates that look alike wait to be judged.") }
        print(TextTable.lookAlikes(pairs).text)
    }
}

struct LookAlikesOneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "one", abstract: "One vehicle, and the other post read it right.",
        discussion: """
            This post's passage gets the other's plate, both versions stay on record, and it is matched. Where this post read it right, \
            the other one has to judge.
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var ranger: RangerOptions

    @Argument(help: "The pair's id, as `lookalikes` shows it.")
    var id: Int64

    func run() throws {
        try store.asRanger { ranger, _ in
            let recorded = try ranger.accept(possibleMatch: id, by: self.ranger.actor)
            print("One vehicle: the passage of \(recorded.passage.recordedAt.nepalText) is \(recorded.passage.plate).")
            recorded.printViolations()
        }
    }
}

struct LookAlikesTwoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "two", abstract: "Two vehicles: drop the pair for good.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var ranger: RangerOptions

    @Argument(help: "The pair's id, as `lookalikes` shows it.")
    var id: Int64

    func run() throws {
        try store.asRanger { ranger, _ in try ranger.reject(possibleMatch: id, by: self.ranger.actor) }
        print("Two vehicles: the pair \(id) is dropped.")
    }
}
