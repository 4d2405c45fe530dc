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
            """,
        subcommands: [ReviewsListCommand.self, ReviewsRecordCommand.self, ReviewsDiscardCommand.self],
        defaultSubcommand: ReviewsListCommand.self)
}

struct ReviewsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sightings that wait, the oldest first.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a sighting, each on one line.")
    var json = false

    func run() throws {
        let database = try store.openStore()
        let waiting = try database.sightings(in: .review, limit: 1000)
        let country = (store.hasConfiguration ? try store.configuration() : Configuration()).reader.country
        let rows = try waiting.map {
            ReviewRow(
                $0, photo: try database.photo(sha256: $0.sighting.bestFrame.sha256), country: country,
                possible: try possible($0.sighting, in: database))
        }
        if json { return try rows.forEach(Output.printJSON) }
        guard !rows.isEmpty else { return print("No sighting waits for review.") }
        var table = TextTable([
            ("seen (Nepal)", .left), ("id", .left), ("plate", .left), ("sure", .right), ("why", .left),
            ("picture", .left),
        ])
        for (stored, row) in zip(waiting, rows) {
            table.add([
                stored.sighting.bestFrame.recordedAt.nepalText, row.id, row.text, Output.decimal(row.confidence, 2),
                row.isUnusual ? "no local plate" : "unsure", row.picture ?? "-",
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

extension ReviewsListCommand {
    /// The vehicles of the other post that are still on the road and could be this one: equal, alike in one character, or
    /// equal around the gaps; the nearest in time first. A hint for the ranger, never a match.
    private func possible(_ sighting: Sighting, in database: Store) throws -> [String] {
        let seenAt = sighting.bestFrame.recordedAt
        let plate = sighting.reading.plate
        let others = try database.unmatchedPassages(
            .remote, resembling: plate, near: seenAt, within: PassageMatcher.defaultWindow)
        return others.filter { !plate.isPartial && $0.plate == plate || LookAlike.mayBeSame($0.plate, plate) }
            .sorted { ($0.recordedAt - seenAt).magnitude < ($1.recordedAt - seenAt).magnitude }
            .prefix(PassageMatcher.maximumPossible).map(\.plate.canonical)
    }
}

/// A doubtful sighting as programs get it.
struct ReviewRow: Encodable {
    let id: String
    let camera: String
    let plate: String
    let text: String
    let raw: String
    let confidence: Double
    let candidates: [String]

    /// The plate is none of the country's: it waits however sure the reading is.
    let isUnusual: Bool

    /// Vehicles of the other post that it could be.
    let possible: [String]
    let recordedAt: String
    let picture: String?

    enum CodingKeys: String, CodingKey {
        case id, camera, plate, text, raw, confidence, candidates, possible
        case isUnusual = "unusual"
        case recordedAt = "recorded_at"
        case picture
    }

    init(_ stored: StoredSighting, photo: PhotoRecord?, country: String?, possible: [String]) {
        self.possible = possible
        let reading = stored.sighting.reading
        id = stored.sighting.id
        camera = stored.sighting.camera
        plate = reading.plate.compact
        text = reading.plate.canonical
        raw = reading.raw
        confidence = reading.confidence
        candidates = reading.candidates.map(\.plate.compact)
        isUnusual = PlateFormat.all.first { $0.name == reading.format }?.isUsual(in: country) == false
        recordedAt = stored.sighting.bestFrame.recordedAt.iso8601
        picture = photo?.path
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

    @Argument(
        help: "The right plate, in Latin or Devanagari. Without it, the one that was read.", transform: typedPlate)
    var plate: Plate?

    @Option(help: "The vehicle's type. Without it, what the plate says, else car.")
    var type: VehicleType?

    func run() throws {
        let database = try store.openStore()
        let configuration = try store.configuration(orPilotFor: database)
        guard let stored = try database.sighting(id: id) else {
            throw CommandError("There is no sighting \(id).", hint: "`checkpost reviews` lists those that wait.")
        }
        guard plate != nil || !stored.sighting.reading.plate.isPartial else {
            throw CommandError(
                "\(stored.sighting.reading.plate) has gaps.",
                hint: "Look at its picture and type the whole plate: `checkpost reviews record \(id) PLATE`.")
        }
        let now = BoxClock.now
        let recorder = PassageRecorder(checkpostCode: configuration.post.code)
        let passage = recorder.passage(
            of: stored.sighting, hasPhoto: stored.hasPhoto, judgedBy: ranger.actor, plate: plate, type: type)
        try database.recordReviewed(sightingID: id, as: passage, by: ranger.actor, at: now)
        print("\(passage.plate) of \(passage.recordedAt.nepalText) is recorded.")
        let matching = MatchingService(store: database, configuration: configuration)
        for violation in try matching.match([passage], at: now) {
            print("\(violation.plate): \(violation.kind.rawValue)")
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
        try store.openStore().discardReviewed(sightingID: id, by: ranger.actor, at: BoxClock.now)
        print("\(id) is discarded.")
    }
}
