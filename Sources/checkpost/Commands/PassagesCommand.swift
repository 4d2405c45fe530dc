import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct PassagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passages", abstract: "List, show, correct and withdraw passages.",
        subcommands: [
            PassagesListCommand.self, PassagesShowCommand.self, PassagesCorrectCommand.self,
            PassagesWithdrawCommand.self,
        ],
        defaultSubcommand: PassagesListCommand.self)
}

struct PassagesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List passages, the newest first.",
        discussion: """
            Example: checkpost passages --plate 1234 --look-alikes --from 2026-11-20
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var days: DayOptions

    @Option(help: "Only plates with this part, in Latin or Devanagari.")
    var plate: String?

    @Flag(help: "With --plate: characters that look alike count as equal.")
    var lookAlikes = false

    @Option(help: "Only vehicles of this type: \(VehicleType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type: VehicleType?

    @Flag(help: "Only passages without a match.")
    var unmatched = false

    @Flag(help: "Only passages with a violation.")
    var violations = false

    @Option(help: "At most this many.")
    var limit = 100

    @Flag(help: "Print one JSON object a passage, each on one line.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func run() throws {
        let span = try days.span()
        let filter = PassageFilter(
            from: span.from, until: span.until, platePart: plate.map { PlateNormalizer.normalize($0)?.compact ?? $0 },
            includesLookAlikes: lookAlikes, vehicleType: type, isMatched: unmatched ? false : nil,
            hasViolation: violations ? true : nil)
        let passages = try store.openStore().passages.list(filter, limit: limit)
        if json { return try passages.forEach { try Output.printJSON(ListedPassage($0)) } }
        print(passages.isEmpty ? "No passage." : TextTable.passages(passages).text)
    }
}

extension VehicleType: ExpressibleByArgument {}

/// A plate as a person types it, in Latin or Devanagari.
func typedPlate(_ text: String) throws -> Plate {
    do { return try PlateNormalizer.plate(typed: text) } catch { throw ValidationError(String(sentence: error)) }
}

/// Names one passage.
struct PassageOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Argument(help: "The passage's id, or its first characters as `passages` shows them.")
    var id: String

    func validate() throws {
        // An empty id would be the beginning of every passage's.
        guard id.count >= 4 else { throw ValidationError("The id is to have at least its first 4 characters.") }
    }

    /// The one passage that the id means.
    func passage(in store: Store) throws -> StoredPassage {
        let found = try store.passages.list(clientIDPrefix: id)
        guard let first = found.first else {
            throw AdvisedError("There is no passage \(id).", hint: "`checkpost passages` lists them with their ids.")
        }
        guard found.count == 1 else {
            throw AdvisedError(
                "\(found.count) passages begin with \(id).",
                hint: "Write more of it: `checkpost passages --json` has it whole.")
        }
        return first
    }
}

/// Who changes a record, and why.
struct ActorOptions: ParsableArguments {
    @Option(help: "Why. It is kept with the record.")
    var reason: String

    @OptionGroup var ranger: RangerOptions

    func validate() throws {
        if reason.trimmingCharacters(in: .whitespaces).isEmpty { throw ValidationError("--reason is not to be empty.") }
        try RangerOptions.checkLine(reason, "--reason")
    }

    var actor: String { ranger.actor }
}

struct RangerOptions: ParsableArguments {
    @Option(help: "Who does it. Without it, the user of this session.")
    var by: String?

    func validate() throws { try by.map { try Self.checkLine($0, "--by") } }

    /// What is kept with a record is one line of text: a terminal must be able to show it.
    static func checkLine(_ text: String, _ option: String) throws {
        guard text.count <= 500, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ValidationError("\(option) is one line of at most 500 characters.")
        }
    }

    var actor: String { by ?? ProcessInfo.processInfo.environment["SUDO_USER"] ?? NSUserName() }
}

struct PassagesCorrectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct", abstract: "Correct the plate of a recorded passage.",
        discussion: """
            The original stays on record. A match and a violation of the old plate are withdrawn, and the corrected plate is \
            matched anew.

            Example: checkpost passages correct 90cf9f87 "BA 1 CHA 1234" --reason "one digit misread"
            """)

    @OptionGroup var passage: PassageOptions

    @Argument(help: "The right plate, in Latin or Devanagari.")
    var plate: String

    @OptionGroup var change: ActorOptions

    func validate() throws { _ = try typedPlate(plate) }

    func run() throws {
        try passage.store.asRanger { ranger, store in
            let found = try passage.passage(in: store)
            let recorded = try ranger.correct(
                passage: found.passage.clientID, typed: plate, reason: change.reason, by: change.actor)
            print("\(found.passage.plate) is now \(recorded.passage.plate).")
            recorded.printViolations()
        }
    }
}

struct PassagesWithdrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Withdraw a passage that was none.",
        discussion: "It stays on record as withdrawn, takes part in no match, and its violation is withdrawn.")

    @OptionGroup var passage: PassageOptions
    @OptionGroup var change: ActorOptions

    func run() throws {
        try passage.store.asRanger { ranger, store in
            let found = try passage.passage(in: store)
            try ranger.withdraw(passage: found.passage.clientID, reason: change.reason, by: change.actor)
            print("\(found.passage.plate) of \(found.passage.recordedAt.nepalText) is withdrawn.")
        }
    }
}
