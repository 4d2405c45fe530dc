import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct ReviewsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews", abstract: "List and decide the sightings that were too doubtful to record.",
        discussion: """
            Example: look at the picture that the list names, then

              checkpost reviews record gate/12
              checkpost reviews record gate/12 "BA 1 PA 4036" --type motorcycle
              checkpost reviews discard gate/13
              checkpost reviews restore gate/13
            """,
        subcommands: [
            ReviewsListCommand.self, ReviewsRecordCommand.self, ReviewsDiscardCommand.self, ReviewsRestoreCommand.self,
        ],
        defaultSubcommand: ReviewsListCommand.self)
}

struct ReviewsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sightings that wait, the oldest first.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Those that rangers discarded and `reviews restore` brings back, the last one first.")
    var discarded = false

    @Flag(help: "Print one JSON object a sighting, each on one line.")
    var json = false

    func run() throws {
        let database = try store.openStore()
        let waiting =
            try discarded
            ? database.sightings.discardedByRangers(limit: 1000) : database.sightings.list(in: .review, limit: 1000)
        let country = (store.hasConfiguration ? try store.configuration() : Configuration()).reader.country
        let rows = try waiting.map { try ListedReview($0, store: database, country: country) }
        if json { return try rows.forEach(Output.printJSON) }
        guard !rows.isEmpty else {
            return print(discarded ? "No ranger has discarded a sighting." : "No sighting waits for review.")
        }
        var table = TextTable([
            ("seen (Nepal)", .left), ("id", .left), ("plate", .left), ("sure", .right), ("why", .left),
            ("picture", .left),
        ])
        for (stored, row) in zip(waiting, rows) {
            table.add([
                stored.sighting.bestFrame.recordedAt.nepalText, row.id, row.text.isEmpty ? "(not read)" : row.text,
                Output.decimal(row.confidence, 2),
                row.text.isEmpty ? "not read" : row.isUnusual ? "no local plate" : "unsure", row.picture ?? "-",
            ])
        }
        print(table.text)
        for row in rows where !row.possible.isEmpty {
            Output.note("\(row.id) may be \(row.possible.joined(separator: ", ")), seen at the other post.")
        }
        Output.note(
            "Pictures are below the data folder. `checkpost reviews record ID [PLATE]` and `… discard ID` decide.")
    }
}

struct ReviewsRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the passage of a sighting, with the plate that was read or a better one.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var ranger: RangerOptions

    @Argument(help: "The sighting's id, as `reviews` shows it.")
    var id: String

    @Argument(help: "The right plate, in Latin or Devanagari. Without it, the one that was read.")
    var plate: String?

    @Option(help: "The vehicle's type. Without it, what the plate says, else car.")
    var type: VehicleType?

    @Flag(help: "The picture shows another vehicle. Only for one that was kept with RECORD VEHICLE.")
    var withoutPicture = false

    func validate() throws { _ = try plate.map(typedPlate) }

    func run() throws {
        try store.asRanger { ranger, _ in
            let recorded = try ranger.record(
                .init(sightingID: id, typed: plate, type: type, withoutPicture: withoutPicture), by: self.ranger.actor)
            let passage = recorded.passage
            print(
                "\(passage.plate) of \(passage.recordedAt.nepalText) is "
                    + (recorded.wasThere ? "on record already; nothing was doubled." : "recorded."))
            recorded.printViolations()
        }
    }
}

struct ReviewsDiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Keep a sighting as nothing: no vehicle, or one that is recorded already.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var ranger: RangerOptions

    @Argument(help: "The sighting's id, as `reviews` shows it.")
    var id: String

    func run() throws {
        try store.asRanger { ranger, _ in try ranger.discard(sighting: id, by: self.ranger.actor) }
        print("\(id) is discarded. `checkpost reviews restore \(id)` takes that back.")
    }
}

struct ReviewsRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take a discard back: the sighting waits for review again.",
        discussion: "It is possible for as long as the sighting is kept. `checkpost reviews --discarded` lists them.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The sighting's id, as `reviews --discarded` shows it.")
    var id: String

    func run() throws {
        try store.asRanger { ranger, _ in try ranger.restore(sighting: id) }
        print("\(id) waits for review again.")
    }
}
