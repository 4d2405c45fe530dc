import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

/// Where a command finds the configuration and the database.
struct StoreOptions: ParsableArguments {
    @Option(help: "The configuration file.")
    var config: String?

    @Option(help: "Use this database file instead of the one in the data folder.")
    var database: String?

    var place: BoxPlace { BoxPlace(config: config, database: database) }
    var configPath: String { place.configPath }
    var hasConfiguration: Bool { place.hasConfiguration }

    func configuration() throws -> Configuration { try place.configurationInUse(saying: Output.note) }
    func dataFolder() throws -> String { try place.folderOfDatabase ?? configuration().dataFolder }
    func databasePath() throws -> String { try database ?? configuration().databasePath }

    /// The configuration; that of the pilot when only a database was named and no configuration is on this machine.
    ///
    /// - Parameter store: its passages say which post it is.
    func configuration(orPilotFor store: Store) throws -> Configuration {
        guard database != nil, !hasConfiguration else { return try configuration() }
        let pilot = try Configuration.pilot(for: store)
        Output.note(
            "There is no configuration at \(configPath): taken as \(pilot.post.code) of the pilot, 45 km, 40 and 10 km/h. "
                + "--config names another.")
        return pilot
    }

    /// Opens a database that is there. One isn't made by asking what is in it.
    ///
    /// - Parameter making: makes it on a box that has not run yet, for whom the data folder belongs to.
    func openStore(making: Bool = false) throws -> Store {
        try Self.openStore(at: try databasePath(), making: making)
    }

    static func openStore(at path: String, making: Bool = false) throws -> Store {
        try StoreAtHand.open(path, making: making, note: Output.note)
    }
}

/// A span of days as a clock in Nepal counts them.
struct DayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("From this day on, in Nepal time.", valueName: "yyyy-mm-dd"))
    var from: String?

    @Option(help: ArgumentHelp("Up to and with this day.", valueName: "yyyy-mm-dd"))
    var to: String?

    func validate() throws { _ = try span() }

    /// The first moment wanted, and the first one that isn't.
    func span() throws -> (from: Instant?, until: Instant?) {
        let span = (from: try from.map(Self.day), until: try to.map { try Self.day($0) + .hours(24) })
        if let first = span.from, let end = span.until, first >= end {
            throw ValidationError("--from \(from ?? "") is after --to \(to ?? "").")
        }
        return span
    }

    static func day(_ text: String) throws -> Instant {
        guard let instant = CivilTime(day: text)?.instant(offset: CivilTime.nepalOffset) else {
            throw ValidationError("\"\(text)\" is no day: write it as 2026-11-21.")
        }
        return instant
    }
}
