import Appliance
import ArgumentParser
import Capture
import Enforcement
import Foundation
import ReaderLab
import Recognition
import Storage
import Synchronization

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run captured frames through the whole pipeline, as a camera would.",
        discussion: """
            Frames come in the order of their capture times: from the pictures themselves (EXIF), from their file names \
            (20261121T041530.250Z.jpg), or from the files' times. Prints the passages and the violations. Everything is \
            written to a scratch database that is removed at the end, unless --database names one that is kept. Mask and thresholds are \
            those of the configuration's camera; of several, of the one that is named like the folder.

            To see matches, give both ends of the road, each with its code:
              checkpost replay BNP-A=frames/a BNP-B=frames/b

            With --truth each picture is scored alone, as `read` reads it, and nothing is recorded. Each plate that was not \
            read right is listed with its reason, and --html writes a page with all plates:

              checkpost replay frames --truth frames/truth.csv --html misses

            With a truth table of the vehicles that passed (plate, first_frame, last_frame, and post for two ends) the replay \
            itself is scored: which were recorded right, wrong, twice or not at all, and what was recorded where no vehicle passed:

              checkpost replay BNP-A=a BNP-B=b --truth vehicles.csv

            With --compare pictures are read with two folders of models; with --truth as well it is known which is right. \
            Without a path they are the photos of the post's own passages, and right is what rangers confirmed or corrected:

              checkpost replay photos --compare models new-models
              checkpost replay --compare models new-models
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder of pictures, a picture or a video, with the code of its checkpost if it has one.",
            valueName: "[code=]path"),
        completion: .file())
    var paths: [String] = []

    @Option(
        help: """
            True plates (file,x,y,w,h,plate,country): score each picture alone. Or true vehicles (plate,first_frame,last_frame): \
            score the replay.
            """, completion: .file())
    var truth: String?

    @Option(help: "With --truth: score only pictures whose names begin so.")
    var prefix: String?

    @Flag(help: "With --truth: the answer is the reading on each true plate, not the surest of the picture.")
    var byBox = false

    @Option(
        help: "With --truth: write a page with every plate cut out of its picture, the misses first, into this folder.",
        completion: .directory)
    var html: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        help: """
            Keep the database in this file, and the pictures in "photos" beside it. With two checkposts it is a folder with \
            a database for each.
            """)
    var database: String?

    @Flag(help: "Let --database be that of an appliance, for a demonstration: drawn passages come among its own.")
    var intoAppliance = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Two folders of models: say which pictures read differently with the second, better or worse, and record nothing.",
            valueName: "old new"))
    var compare: [String] = []

    @Option(help: "The configuration, for segment, limits and reader. Without it, the pilot's: 45 km, 40 and 10 km/h.")
    var config: String?

    @Option(help: ArgumentHelp("When a video begins, if its name doesn't say.", valueName: "2026-11-21T04:15:30Z"))
    var start: String?

    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        if let start, Instant(iso8601: start) == nil {
            throw ValidationError("\"\(start)\" is no time: write it as 2026-11-21T04:15:30Z.")
        }
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two folders of models: the old one and the new one.")
        }
        let isOfVehicles = try truth.map { try TrackTable.isMeant(by: $0) }
        guard isOfVehicles == false || (prefix == nil && !byBox && html == nil) else {
            throw ValidationError("--prefix, --by-box and --html go with --truth, and a table of single pictures.")
        }
        guard
            truth == nil || !compare.isEmpty
                || (database == nil && !intoAppliance && (start == nil || isOfVehicles == true))
        else {
            throw ValidationError(
                "With --truth nothing is recorded: leave --database and --into-appliance out. --start goes with true vehicles."
            )
        }
        guard !paths.isEmpty || !compare.isEmpty else {
            throw ValidationError("Name a folder of pictures, a picture or a video.")
        }
    }

    func run() async throws {
        if !compare.isEmpty { return try compareModels() }
        let tracks = try truth.flatMap { try TrackTable.isMeant(by: $0) ? $0 : nil }
        if let truth, tracks == nil { return try score(truth) }
        let inputs = try paths.map(ReplayPath.init)
        let configuration = try replayConfiguration(inputs)
        let vehicles = try tracks.map { try TrackTable(path: $0, time: CaptureTime.written).vehicles }
        let session = try ReplaySession(
            inputs: inputs, configuration: configuration, database: database,
            start: start.flatMap(Instant.init(iso8601:)), intoAppliance: intoAppliance, tell: ReplayDisplay().show)
        defer { session.removeScratch() }
        var summary = try await session.run()
        if let vehicles { summary.score(against: vehicles) }
        if json { try Output.printJSON(summary) } else { print(summary.text(within: Output.terminalWidth)) }
        if summary.frames.total == 0, summary.frames.unreadable > 0 { throw ExitCode(1) }
    }

    private func replayConfiguration(_ inputs: [ReplayPath]) throws -> Configuration {
        var configuration = try config.map { try ConfigurationReader.read(path: $0) } ?? Configuration.pilot
        if let country = reader.country { configuration.reader.country = country }
        if let models = reader.models { configuration.reader.models = models }
        let codes = Set(inputs.compactMap(\.code))
        guard codes.count <= 2 else {
            throw ValidationError("A segment has two checkposts, and \(codes.count) codes were given.")
        }
        return configuration
    }

    private func compareModels() throws {
        let table = try truth.map { try TruthTable(path: $0) }
        let comparison = ModelComparison(
            old: try PlateRecognizer(models: compare[0], country: reader.country),
            new: try PlateRecognizer(models: compare[1], country: reader.country))
        let pictures =
            paths.isEmpty
            ? try storedPictures() : try ModelComparison.pictures(in: paths, truth: table)
        let report = comparison.compare(pictures, tell: LabDisplay().show)
        if json { try Output.printJSON(report) } else { print(report.text) }
    }

    private func storedPictures() throws -> [ModelComparison.Picture] {
        var options = StoreOptions()
        options.config = config
        options.database = database
        return try ModelComparison.pictures(
            of: try options.openStore(), photosIn: URL(fileURLWithPath: try options.dataFolder()))
    }

    /// Reads every picture of the truth table alone.
    private func score(_ truth: String) throws {
        let table = try TruthTable(path: truth)
        var isFolder: ObjCBool = false
        guard paths.count == 1, FileManager.default.fileExists(atPath: paths[0], isDirectory: &isFolder),
            isFolder.boolValue
        else {
            throw ValidationError("--truth goes with one folder: the one with the pictures that it names.")
        }
        guard
            let report = try AccuracyReport(
                of: table, in: paths[0], prefix: prefix ?? "", isByBox: byBox, by: try reader.makeRecognizer(),
                page: try html.map { try AccuracyPage(folder: URL(fileURLWithPath: $0)) },
                tell: LabDisplay().show)
        else { throw AdvisedError("\(truth) names no such picture.", hint: "Add a row for each plate.") }
        if json {
            try Output.printJSON(report)
        } else {
            print(report.text(name: URL(fileURLWithPath: paths[0]).lastPathComponent))
        }
        guard report.unreadable < report.pictures else {
            throw AdvisedError(
                "None of the pictures could be read.", hint: "Is \(paths[0]) the folder that \(truth) names?")
        }
    }
}

extension ReplayPath {
    /// `BNP-A=frames/a` or `frames`.
    init(_ text: String) throws {
        var code: String?
        var path = text
        if let equals = text.firstIndex(of: "="), !FileManager.default.fileExists(atPath: text) {
            let name = String(text[..<equals])
            guard ShortName.isValid(name) else {
                throw ValidationError("\"\(name)\" is no code of a checkpost: \(ShortName.allowed).")
            }
            code = name
            path = String(text[text.index(after: equals)...])
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw AdvisedError("There is nothing at \(path).", hint: "Give a folder of pictures, a picture or a video.")
        }
        self.init(code: code, path: path)
    }
}

/// Shows on the standard error how far a replay is.
private final class ReplayDisplay: Sendable {
    private let progress = Mutex<Progress?>(nil)

    @Sendable func show(_ event: ReplayEvent) {
        progress.withLock { progress in
            switch event {
            case .begun(let label, let total): progress = Progress(label, total: total)
            case .unreadable(let reason): Output.note(reason)
            case .advanced(let detail): progress?.advance(detail)
            case .finished: progress?.finish()
            }
        }
    }
}
