import ArgumentParser
import Enforcement
import Foundation
import Storage

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring in what another system knows.",
        subcommands: [ImportPassagesCommand.self])
}

struct ImportPassagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passages", abstract: "Put passages of the other checkpost into the cache, and match.",
        discussion: """
            The file holds one JSON object a line, as `checkpost export --format json` writes at the other post, or one array \
            of them. Needed of each: client_id, plate, checkpost, recorded_at; read if there: vehicle_type, clock_state (without it the \
            time counts as untrusted and makes no violation). What waits for review at the other post stands in the last row. \
            Importing a file twice changes nothing. A passage that the other post withdrew is withdrawn here too. A row that \
            can't be used is named with its number; the others are imported, and the exit code is 1.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The file with the passages.", completion: .file())
    var file: String

    @Flag(help: "The file has all passages of the other post up to its newest: overstays can be judged up to then.")
    var complete = false

    @Option(
        help:
            "A copy of the other post's folder of photos: the pictures of vehicles that broke a limit are taken over.",
        completion: .directory)
    var photos: String?

    func run() throws {
        let database = try Store(path: try store.databasePath())
        let configuration = try store.configuration(orPilotFor: database)
        let rows = try RemotePassageFile.read(file)
        let now = BoxClock.now
        var passages: [RemotePassage] = []
        var withdrawn: [RemotePassage] = []
        var problems: [String] = []
        var hashes: [UUID: String] = [:]
        var reviews: OtherPost.Reviews?
        for (index, row) in rows.enumerated() {
            do {
                let row = try row.get()
                let passage = try row.passage(of: configuration.otherPostCode, at: now)
                hashes[passage.clientID] = row.photoSHA256
                reviews = row.postReviews?.reviews(at: now) ?? reviews
                if row.isWithdrawn == true { withdrawn.append(passage) } else { passages.append(passage) }
            } catch {
                problems.append("row \(index + 1): \(error)")
            }
        }
        let (added, takenBack) = try database.importRemote(
            ImportedPassages(inForce: passages, withdrawn: withdrawn), at: now)
        if let reviews { try database.learn(otherPostReviews: reviews, at: now) }
        if complete, !problems.isEmpty {
            Output.note("Rows are missing, so the file is not taken as complete: no overstay is judged by it.")
        } else if complete, let newest = passages.map(\.recordedAt).max() {
            let known = min(now, max(newest, try database.otherPostKnownUpTo() ?? newest))
            try database.set(SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: known.milliseconds), at: now)
        }
        let matching = MatchingService(store: database, configuration: configuration)
        let findings = try matching.catchUp(at: now)
        let violations = findings.violations
        let alerts = try findings.alerts + matching.overstayRound(at: now)
        print(
            "New passages: \(added), known already: \(passages.count - added), withdrawn: \(takenBack), violations: "
                + "\(violations.count), overstay alerts: \(alerts.count).")
        for violation in violations { print("\(violation.plate.canonical): \(violation.kind.rawValue)") }
        if let photos { try takePictures(PhotoFolder(path: photos), hashes, for: database) }
        problems.prefix(20).forEach(Output.note)
        if problems.count > 20 { Output.note("… and \(problems.count - 20) more rows") }
        if !problems.isEmpty { throw ExitCode(1) }
    }
}

extension ImportPassagesCommand {
    private func takePictures(_ photos: PhotoFolder, _ hashes: [UUID: String], for database: Store) throws {
        let folder = try store.dataFolder()
        let pictures = OtherPostPictures(folder: URL(fileURLWithPath: folder))
        let (taken, missing) = try photos.takePictures(hashes, for: database, into: pictures)
        PhotoFolder.giveToOwner(of: folder, everythingIn: pictures.root.path)
        print("Pictures taken over: \(taken), not found there: \(missing).")
    }
}

/// A file of passages: a JSON array, or one object a line.
enum RemotePassageFile {
    /// Larger files are split by day first.
    static let maximumBytes = 256 << 20

    struct Row: Decodable {
        var clientID: UUID?
        var plate: String?
        /// The plate with its spaces.
        var text: String?
        var checkpost: String?
        var recordedAt: String?
        var vehicleType: String?
        var clockState: String?
        var isWithdrawn: Bool?
        var photoSHA256: String?
        var postReviews: PostReviewsRow?

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case plate, text, checkpost
            case recordedAt = "recorded_at"
            case vehicleType = "vehicle_type"
            case clockState = "clock_state"
            case isWithdrawn = "withdrawn"
            case photoSHA256 = "photo_sha256"
            case postReviews = "post_reviews"
        }

        /// No box recorded before.
        private static let earliest = Instant(milliseconds: 1_577_836_800_000)

        /// How far the other box's clock may be ahead.
        private static let clockTolerance = TimeSpan.hours(24)

        struct Problem: Error, CustomStringConvertible {
            let description: String
        }

        /// - Parameter other: the code of the post at the other end.
        func passage(of other: String, at now: Instant) throws -> RemotePassage {
            guard let clientID else { throw Problem(description: "client_id is missing or no UUID") }
            guard let plate = plate.flatMap(PlateNormalizer.normalize) else {
                throw Problem(description: "plate is missing or none")
            }
            // The post that read it knows where its spaces stand.
            let spelled = text.flatMap(Plate.init(told:)).flatMap { $0 == plate ? $0 : nil } ?? plate
            guard let checkpost, !checkpost.isEmpty else { throw Problem(description: "checkpost is missing") }
            guard checkpost == other else {
                throw Problem(description: "it is of \(checkpost), and the post at the other end is \(other)")
            }
            guard let time = recordedAt.flatMap(Instant.init(iso8601:)) else {
                throw Problem(description: "recorded_at is no time such as 2026-11-21T04:15:30.250Z")
            }
            guard time > Self.earliest, time < now + Self.clockTolerance else {
                throw Problem(description: "recorded_at is \(time.iso8601), which can't be")
            }
            return RemotePassage(
                clientID: clientID, plate: spelled,
                vehicleType: try value(vehicleType, "vehicle_type") ?? .other, checkpostCode: checkpost,
                recordedAt: time, clockState: try value(clockState, "clock_state") ?? .untrusted)
        }

        private func value<Value: RawRepresentable & CaseIterable>(_ text: String?, _ name: String) throws -> Value?
        where Value.RawValue == String {
            guard let text else { return nil }
            if let value = Value(rawValue: text) { return value }
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(description: "\(name) is \"\(text)\", and not one of \(allowed)")
        }
    }

    /// A row, or why it is none: one bad row costs nothing to the others.
    private struct Lossy: Decodable {
        let row: Result<Row, any Error>

        init(from decoder: any Decoder) throws {
            row = Result { try Row(from: decoder) }.mapError { _ in Self.problem }
        }

        static let problem = Row.Problem(description: "it is no passage in JSON")
    }

    static func read(_ path: String) throws -> [Result<Row, any Error>] {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        guard let size, size <= maximumBytes, let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path) can't be read, or is larger than 256 MB.", hint: "Check the path.")
        }
        let blank = Set(" \t\r\n".utf8)
        if let first = data.first(where: { !blank.contains($0) }), !"{[".utf8.contains(first) {
            throw CommandError(
                "\(path) holds no JSON.",
                hint: "At the other post `checkpost export passages --format json` writes what can be taken in.")
        }
        let decoder = JSONDecoder()
        if let rows = try? decoder.decode([Lossy].self, from: data) { return rows.map(\.row) }
        return data.split(separator: UInt8(ascii: "\n")).map { line in
            (try? decoder.decode(Lossy.self, from: line))?.row ?? .failure(Lossy.problem)
        }
    }
}
