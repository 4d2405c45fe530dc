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

    enum What: String, ExpressibleByArgument, CaseIterable {
        case passages, violations, training
    }

    @Argument(help: "passages, violations, or training.")
    var what = What.passages

    @OptionGroup var store: StoreOptions
    @OptionGroup var days: DayOptions

    @Option(help: "csv, or json with one object a line.")
    var format = ExportFormat.csv

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
        let writer = try output.map { try LineWriter(path: $0) } ?? LineWriter(to: .standardOutput)
        var table = RowWriter(format: format, writer: writer)
        switch what {
        case .passages:
            let configuration = try self.store.configuration(orPilotFor: store)
            try PassageExport(store: store, cameras: configuration.cameras.map(\.name))
                .write(from: span.from, until: span.until, to: &table)
        case .training: break
        case .violations:
            let filter = ViolationFilter(from: span.from, until: span.until, includesWithdrawn: true)
            try store.violations.forEach(filter) { try table.write(ListedViolation($0)) }
        }
        try writer.finish()
        if let output { Output.note("\(table.count) \(what.rawValue) written to \(output).") }
    }

    private func exportTraining(to folder: String) throws {
        let database = try store.openStore()
        let code = try store.configuration(orPilotFor: database).post.code
        let plates = try database.passages.taught(since: try since.map(DayOptions.day), checkpostCode: code)
        let photos = PhotoStore(folder: URL(fileURLWithPath: try store.dataFolder()))
        let report = try TrainingExport(photos: photos).write(plates, to: folder, tell: LabDisplay().show)
        print("\(folder): \(report.text)")
    }
}

extension ExportFormat: ExpressibleByArgument {}
