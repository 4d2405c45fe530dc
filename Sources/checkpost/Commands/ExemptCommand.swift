import Appliance
import ArgumentParser
import Enforcement
import Storage

struct ExemptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exempt", abstract: "The vehicles that raise no alarm: the park's own, ambulances.",
        subcommands: [ExemptListCommand.self, ExemptAddCommand.self, ExemptRemoveCommand.self],
        defaultSubcommand: ExemptListCommand.self)
}

struct ExemptListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List exempt plates.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a plate.")
    var json = false

    func run() throws {
        let plates = try store.openStore().exemptPlates.list()
        if json { return try plates.forEach { try Output.printJSON(ListedExemption($0)) } }
        guard !plates.isEmpty else { return print("No plate is exempt.") }
        print(TextTable.exemptPlates(plates).text)
    }
}

struct ExemptAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Exempt a plate.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "The plate, in Latin or Devanagari.", transform: typedPlate) var plate: Plate
    @Option(help: "Why: \"ambulance of the district hospital\".") var reason: String

    func validate() throws { try RangerOptions.checkLine(reason, "--reason") }

    func run() throws {
        try store.openStore().exemptPlates.add(plate, reason: reason, at: BoxClock.now)
        print("\(plate) raises no alarm any more.")
    }
}

struct ExemptRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "End an exemption.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "The plate, in Latin or Devanagari.", transform: typedPlate) var plate: Plate

    func run() throws {
        guard try store.openStore().exemptPlates.remove(plate) else {
            throw AdvisedError(
                "\(plate) is not on this post's list of exempt vehicles.",
                hint: "`checkpost exempt` lists the plates that are. The park's office takes off what it lists.")
        }
        print("\(plate) raises alarms again.")
    }
}
