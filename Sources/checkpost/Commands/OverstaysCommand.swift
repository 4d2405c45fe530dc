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
        if json { return try alerts.forEach { try Output.printJSON(OverstayRow($0)) } }
        guard !alerts.isEmpty else { return print("No vehicle is known to stay too long.") }
        var table = TextTable([
            ("id", .right), ("plate", .left), ("type", .left), ("entered (Nepal)", .left), ("expected by", .left),
            ("state", .left),
        ])
        for stored in alerts {
            table.add([
                "\(stored.id)", stored.alert.plate.canonical, stored.alert.vehicleType.rawValue,
                stored.alert.entryTime.nepalText, stored.alert.expectedExitBy.nepalText,
                OverstayRow.state(stored) + (stored.alert.isDoubtful ? " (doubtful)" : ""),
            ])
        }
        print(table.text)
        for stored in alerts where !stored.doubts.isEmpty {
            let waits = stored.doubts.map { OverstayRow.text($0) }.joined(separator: ", ")
            Output.note("\(stored.alert.plate) may have left: \(waits).")
        }
    }
}

/// An overstay alert as programs get it.
struct OverstayRow: Encodable {
    let id: Int64
    let entryClientID: String
    let plate: String
    let text: String
    let vehicleType: String
    let entryTime: String
    let expectedExitBy: String
    let raisedAt: String
    let isDoubtful: Bool
    /// What a doubtful one waits for.
    let waitsFor: [String]
    let state: String
    let dismissedBy: String?
    let dismissedReason: String?

    enum CodingKeys: String, CodingKey {
        case id
        case entryClientID = "entry_client_id"
        case plate, text
        case vehicleType = "vehicle_type"
        case entryTime = "entry_time"
        case expectedExitBy = "expected_exit_by"
        case raisedAt = "raised_at"
        case isDoubtful = "doubtful"
        case waitsFor = "waits_for"
        case state
        case dismissedBy = "dismissed_by"
        case dismissedReason = "dismissed_reason"
    }

    init(_ stored: StoredOverstayAlert) {
        id = stored.id
        entryClientID = stored.alert.entryClientID.uuidString.lowercased()
        plate = stored.alert.plate.compact
        text = stored.alert.plate.canonical
        vehicleType = stored.alert.vehicleType.rawValue
        entryTime = stored.alert.entryTime.iso8601
        expectedExitBy = stored.alert.expectedExitBy.iso8601
        raisedAt = stored.raisedAt.iso8601
        isDoubtful = stored.alert.isDoubtful
        waitsFor = stored.doubts.map { Self.text($0) }
        state = Self.state(stored)
        dismissedBy = stored.dismissedBy
        dismissedReason = stored.dismissedReason
    }

    static func text(_ doubt: OverstayDoubt) -> String {
        switch doubt {
        case .looksAlike(let plate, let at): "\(plate) looks alike, seen at the other post \(at.nepalText)"
        case .waitsForReview(let at): "a vehicle of \(at.nepalText) waits for review at the other post"
        case .reviewsUnknown: "the other post doesn't tell what waits for review there"
        }
    }

    static func state(_ stored: StoredOverstayAlert) -> String {
        stored.isOpen ? "open" : stored.resolvedAt != nil ? "resolved" : "dismissed"
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
