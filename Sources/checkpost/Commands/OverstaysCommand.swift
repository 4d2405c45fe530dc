import Appliance
import ArgumentParser
import Enforcement
import Storage

struct OverstaysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overstays", abstract: "List and dismiss alerts of vehicles that stay inside too long.",
        subcommands: [OverstaysListCommand.self, OverstaysDismissCommand.self],
        defaultSubcommand: OverstaysListCommand.self)
}

struct OverstaysListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the open alerts, the vehicle that is longest inside first.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Resolved and dismissed alerts too.")
    var all = false

    @Flag(help: "Print one JSON object an alert, each on one line.")
    var json = false

    func run() throws {
        let alerts = try store.openStore().alerts.list(onlyOpen: !all, limit: 1000, now: BoxClock.now)
            .sorted { $0.alert.entryTime < $1.alert.entryTime }
        if json { return try alerts.forEach { try Output.printJSON(ListedOverstay($0)) } }
        guard !alerts.isEmpty else { return print("No vehicle is known to stay too long.") }
        var table = TextTable([
            ("id", .right), ("plate", .left), ("type", .left), ("entered (Nepal)", .left), ("expected by", .left),
            ("state", .left),
        ])
        for stored in alerts {
            table.add([
                "\(stored.id)", stored.alert.plate.canonical, stored.alert.vehicleType.rawValue,
                stored.alert.entryTime.nepalText, stored.alert.expectedExitBy.nepalText,
                ListedOverstay.state(stored) + (stored.alert.isDoubtful ? " (doubtful)" : ""),
            ])
        }
        print(table.text)
        for stored in alerts where !stored.doubts.isEmpty {
            let waits = stored.doubts.map { ListedOverstay.text($0) }.joined(separator: ", ")
            Output.note("\(stored.alert.plate) may have left: \(waits).")
        }
    }
}

struct OverstaysDismissCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Close an alert: the vehicle was found, or has left unseen.",
        discussion: "Example: checkpost overstays dismiss 3 --reason \"seen leaving by the south gate\"")

    @OptionGroup var store: StoreOptions
    @OptionGroup var change: ActorOptions

    @Argument(help: "The alert's id, as `overstays` shows it.")
    var id: Int64

    func run() throws {
        try store.asRanger { ranger, _ in
            try ranger.dismiss(overstay: id, reason: change.reason, by: change.actor)
        }
        print("The alert \(id) is dismissed.")
    }
}
