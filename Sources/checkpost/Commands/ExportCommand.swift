import Appliance
import ArgumentParser
import Enforcement
import Foundation
import ReaderLab
import Storage

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Write the passages or violations of a span of days as CSV or JSON, or what rangers teach the reader.",
        discussion: """
            Example: checkpost export --from 2026-11-01 --to 2026-11-30 --output november.csv

            `export training` writes a folder: a picture of each plate that a ranger of this post confirmed or corrected, and \
            truth.csv with their texts. Only the plates are cut out. The reader learns from it with \
            `models/train/run teach devanagari|latin --taught FOLDER`.

            Example: checkpost export training --since 2026-11-01 --output taught
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, json
    }

    enum What: String, ExpressibleByArgument, CaseIterable {
        case passages, violations, training
    }

    @Argument(help: "passages, violations, or training.")
    var what = What.passages

    @OptionGroup var store: StoreOptions
    @OptionGroup var days: DayOptions

    @Option(help: "csv, or json with one object a line.")
    var format = Format.csv

    @Option(
        help: "Write to this file instead of the standard output; for training the folder to make.",
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("training: what rangers said on this day or later.", valueName: "yyyy-mm-dd"))
    var since: String?

    func validate() throws {
        guard what == .training else {
            if since != nil { throw ValidationError("--since goes with training. Others take --from and --to.") }
            return
        }
        guard output != nil else { throw ValidationError("training needs --output: the folder to make.") }
        guard days.from == nil, days.to == nil else { throw ValidationError("training takes --since, not a span.") }
        _ = try since.map(DayOptions.day)
    }

    func run() throws {
        if what == .training { return try exportTraining(to: output ?? "") }
        let store = try store.openStore()
        let span = try days.span()
        let writer = try LineWriter(path: output)
        var table = RowWriter(format: format, writer: writer)
        switch what {
        case .passages:
            // The other post must not take a vehicle for lost that waits for review here: the last row tells.
            let reviews = try store.reviewsToTell(asOf: min(BoxClock.now, span.until ?? BoxClock.now))
            var last: PassageRow?
            try store.forEachPassage(PassageFilter(from: span.from, until: span.until)) {
                if let last { try table.write(last) }
                last = PassageRow($0)
            }
            last?.postReviews = PostReviewsRow(reviews)
            if let last { try table.write(last) }
        case .training: break
        case .violations:
            try forEachViolation(store, ViolationFilter(from: span.from, until: span.until, includesWithdrawn: true)) {
                try table.write(ViolationRow($0))
            }
        }
        try writer.finish()
        if let output { Output.note("\(table.count) \(what.rawValue) written to \(output).") }
    }

    private func exportTraining(to folder: String) throws {
        let database = try store.openStore()
        let code = try store.configuration(orPilotFor: database).post.code
        let plates = try database.taughtPlates(since: try since.map(DayOptions.day), checkpostCode: code)
        let photos = PhotoStore(folder: URL(fileURLWithPath: try store.dataFolder()))
        let report = try TrainingExport(photos: photos).write(plates, to: folder, tell: LabDisplay().show)
        print("\(folder): \(report.text)")
    }

    private func forEachViolation(_ store: Store, _ filter: ViolationFilter, _ body: (StoredViolation) throws -> Void)
        throws
    {
        let page = 500
        var offset = 0
        while true {
            let violations = try store.violations(filter, limit: page, offset: offset)
            try violations.forEach(body)
            if violations.count < page { return }
            offset += page
        }
    }
}

/// Writes rows as JSON lines or as CSV with a header.
private struct RowWriter {
    let format: ExportCommand.Format
    let writer: LineWriter
    private(set) var count = 0

    init(format: ExportCommand.Format, writer: LineWriter) {
        self.format = format
        self.writer = writer
    }

    mutating func write<Row: ExportRow>(_ row: Row) throws {
        let json = try JSONEncoder.sorted.encode(row)
        if format == .json {
            try writer.write(String(decoding: json, as: UTF8.self))
        } else {
            let object = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
            if count == 0 { try writer.write(Row.columns.joined(separator: ",")) }
            try writer.write(Row.columns.map { cell(object[$0]) }.joined(separator: ","))
        }
        count += 1
    }

    /// One cell (RFC 4180). A text that a spreadsheet would run as a formula gets a leading apostrophe.
    private func cell(_ value: Any?) -> String {
        guard let value else { return "" }
        if let number = value as? NSNumber {
            return String(cString: number.objCType) == "c" ? "\(number.boolValue)" : "\(number)"
        }
        var text = "\(value)"
        if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

/// A row that can be exported, with its columns in the order of a CSV file.
protocol ExportRow: Encodable {
    static var columns: [String] { get }
}

extension PassageRow: ExportRow {
    static let columns = [
        "client_id", "recorded_at", "checkpost", "plate", "text", "raw", "vehicle_type", "confidence", "origin",
        "clock_state", "matched", "counterpart", "violation", "corrected", "withdrawn", "photo_sha256", "acted_by",
        "sync_state",
    ]
}

extension ViolationRow: ExportRow {
    static let columns = [
        "id", "kind", "plate", "text", "vehicle_type", "entry_time", "exit_time", "travel_time_minutes",
        "threshold_minutes", "calculated_speed_kmh", "speed_limit_kmh", "tolerance_kmh", "tolerance_percent",
        "distance_km",
        "implausible", "state", "exempt_reason", "outcome",
    ]
}

/// Writes lines to a file or to the standard output.
///
/// A file is written beside its place and moved there at the end: a full disk leaves no half of an export.
final class LineWriter {
    private let path: String?
    private let partial: String
    private let handle: FileHandle
    private var isFinished = false

    init(path: String?) throws {
        self.path = path
        partial = (path ?? "") + ".\(UUID().uuidString.prefix(8)).part"
        guard let path else {
            handle = .standardOutput
            return
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw AdvisedError("\(path) is a folder.", hint: "Name a file in it.")
        }
        guard FileManager.default.createFile(atPath: partial, contents: nil),
            let opened = FileHandle(forWritingAtPath: partial)
        else {
            throw AdvisedError("\(partial) can't be written.", hint: "Check the folder and its permissions.")
        }
        handle = opened
    }

    deinit {
        if path != nil, !isFinished { try? FileManager.default.removeItem(atPath: partial) }
    }

    func write(_ line: String) throws {
        do { try handle.write(contentsOf: Data((line + "\n").utf8)) } catch {
            throw AdvisedError(
                "\(path ?? "The output") can't be written: \(error.localizedDescription)", hint: "Is the disk full?")
        }
    }

    func finish() throws {
        guard let path else { return }
        try handle.synchronize()
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw AdvisedError("\(path) can't be replaced.", hint: "Check the folder and its permissions.")
        }
        isFinished = true
    }
}
