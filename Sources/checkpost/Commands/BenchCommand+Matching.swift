import Appliance
import ArgumentParser
import Foundation

extension BenchCommand {
    struct Matching: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "matching", abstract: "Measure how long matching takes after a long time.",
            discussion: """
                Makes a database of so many passages in a folder of its own, which is removed at the end, and times matching rounds \
                and single matches in it. The box's own records are not touched. A million rows take some minutes and 1 GB.

                Exits with 1 when a round takes 50 ms or more, or one match of a hundred 5 ms or more.
                """)

        @Option(help: "Passages of both posts together: 1,000 to 5,000,000.")
        var rows = 1_000_000

        @Option(help: "The same seed makes the same plates.")
        var seed: UInt64 = 1

        @Flag(help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard (1000...5_000_000).contains(rows) else {
                throw ValidationError("--rows is to be a number from 1000 to 5000000.")
            }
        }

        func run() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-bench-\(getpid())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let report = try MatchingBench(rows: rows, seed: seed).measure(in: folder) { made in
                if made.isMultiple(of: 100_000) { Output.note("\(made) of \(rows) rows") }
            }
            if json { try Output.printJSON(report) } else { print(report.text) }
            if !report.isWithin { throw ExitCode(1) }
        }
    }
}
