import ArgumentParser
import Foundation
import Recognition

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast plates are read here, how well, and how fast they are matched.",
        subcommands: [Read.self, Vote.self, Confidence.self, Sweep.self, Matching.self])

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
            let files = try Self.files(in: paths)
            guard !files.isEmpty else {
                throw CommandError(
                    "there is no picture to read.", hint: "Name JPEG, PNG or PNM files, or their folder.")
            }
            let report = try ReaderBench(files: files).measure { try reader.makeRecognizer() }
            if json { try Output.printJSON(report) } else { print(report.text) }
        }

        /// The most pictures that are measured: more only take longer.
        private static let maximumPictures = 500

        private static func files(in paths: [String]) throws -> [String] {
            var files: [String] = []
            for path in paths {
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                    throw CommandError("\(path): there is no such file.", hint: "Check the path.")
                }
                guard isFolder.boolValue else {
                    files.append(path)
                    continue
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                files += names.filter { name in
                    ["jpg", "jpeg", "png", "pgm", "ppm", "pnm"].contains((name as NSString).pathExtension.lowercased())
                }.map { path + "/" + $0 }
            }
            return Array(files.prefix(maximumPictures))
        }
    }
}
