import ArgumentParser
import Enforcement
import ReaderLab

extension BenchCommand {
    struct Vote: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vote", abstract: "Measure what voting over frames gains.",
            discussion: """
                Every labelled picture is taken again and again as a mediocre camera would: a little beside, nearer or farther, \
                out of focus, noisy, darker or brighter. Prints how many plates are right by one frame, by the surest of them, \
                and by the vote, each with the interval that the true share lies in with 95 %. A folder without truth.csv is \
                skipped.

                Example: checkpost bench vote plates/eu plates/np
                """)

        @Argument(help: "Folders of pictures with truth.csv (file,x,y,w,h,plate,country).", completion: .directory)
        var folders: [String]

        @Option(help: "Frames of each sighting, 2 to 15.")
        var frames = 5

        @Option(help: "The number that every chance comes from.")
        var seed: UInt64 = 1

        @Option(help: "At most so many pictures of each folder.")
        var limit: Int?

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var reader: ReaderOptions

        func validate() throws {
            guard (2...PlateVote.maximumReadings).contains(frames) else {
                throw ValidationError("--frames is 2 to \(PlateVote.maximumReadings).")
            }
            if let limit, limit < 1 { throw ValidationError("--limit is at least 1.") }
        }

        func run() throws {
            let bench = VoteBench(
                recognizer: try reader.makeRecognizer(), country: reader.country, framesEach: frames, seed: seed)
            let display = LabDisplay()
            let set = try LabelledSet(folders, limit: limit, tell: display.show)
            let report = bench.measure(set, tell: display.show)
            if json { try Output.printJSON(report) } else { print(report.text) }
        }
    }

    struct Confidence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confidence", abstract: "Measure what the reader's confidence is worth.",
            discussion: """
                Reads labelled pictures and prints how many of the plates that were said with so much confidence are right, as \
                it is and after a curve that was fitted on other plates (five parts, split by plate); from which confidence on \
                95 % are right, which is what passages are recorded from by themselves; and the curves. A folder without \
                truth.csv is skipped. Measure on pictures that nothing was tuned on.

                Example: checkpost bench confidence plates/*
                """)

        @Argument(help: "Folders of pictures with truth.csv (file,x,y,w,h,plate,country).", completion: .directory)
        var folders: [String]

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var reader: ReaderOptions

        func run() throws {
            let display = LabDisplay()
            let set = try LabelledSet(folders, tell: display.show)
            let report = ConfidenceBench(recognizer: try reader.makeRecognizer()).measure(set, tell: display.show)
            if json { try Output.printJSON(report) } else { print(report.text) }
        }
    }
}
