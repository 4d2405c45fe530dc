import ArgumentParser
import ReaderLab

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast plates are read here, how well, and how fast they are matched.",
        subcommands: [Read.self, Vote.self, Confidence.self, Conditions.self, Sweep.self, Matching.self])

    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read", abstract: "Measure how fast plates are found and read.",
            discussion: """
                Reads every picture, each stage timed alone, on one core; then all of them again on two. Prints the median \
                and the 95th percentile of every stage, the frames a second, what a still scene costs (a thumbnail of the \
                frame, which tells that nothing changed), and the peak memory. Nothing is recorded.

                Example: checkpost bench read gate/
                """)

        @Argument(help: "Pictures, or folders of pictures.", completion: .file())
        var paths: [String]

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var reader: ReaderOptions

        func run() throws {
            let report = try ReaderBench(paths).measure { try reader.makeRecognizer() }
            if json { try Output.printJSON(report) } else { print(report.text) }
        }
    }
}
