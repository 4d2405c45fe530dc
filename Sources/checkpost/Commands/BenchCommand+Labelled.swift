import ArgumentParser
import Enforcement
import ReaderLab

/// What every measurement on labelled pictures takes.
struct LabelledOptions: ParsableArguments {
    @Argument(help: "Folders with truth.csv (file,x,y,w,h,plate,country); others are skipped.", completion: .directory)
    var folders: [String]

    @Option(help: "At most so many pictures of each folder.")
    var limit: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is at least 1.") }
    }

    func report<Report: Encodable>(
        text: (Report) -> String, _ measure: (LabelledSet, @escaping LabEvent.Teller) throws -> Report
    ) throws {
        let display = LabDisplay()
        let report = try measure(try LabelledSet(folders, limit: limit, tell: display.show), display.show)
        if json { try Output.printJSON(report) } else { print(text(report)) }
    }
}

extension BenchCommand {
    struct Vote: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vote", abstract: "Measure what voting over frames gains.",
            discussion: """
                Every labelled picture is taken again and again as a mediocre camera would: a little beside, nearer or farther, \
                out of focus, noisy, darker or brighter. Prints how many plates are right by one frame, by the surest of them, \
                and by the vote, each with the interval that the true share lies in with 95 %.

                Example: checkpost bench vote plates/eu plates/np
                """)

        @Option(help: "Frames of each sighting, 2 to 15.")
        var frames = 5

        @Option(help: "The number that every chance comes from.")
        var seed: UInt64 = 1

        @OptionGroup var labelled: LabelledOptions

        func validate() throws {
            guard (2...PlateVote.maximumReadings).contains(frames) else {
                throw ValidationError("--frames is 2 to \(PlateVote.maximumReadings).")
            }
        }

        func run() throws {
            let recognizer = try labelled.reader.makeRecognizer()
            let bench = VoteBench(
                recognizer: recognizer, country: labelled.reader.country, framesEach: frames, seed: seed)
            try labelled.report(text: \.text, bench.measure)
        }
    }

    struct Confidence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confidence", abstract: "Measure what the reader's confidence is worth.",
            discussion: """
                Reads labelled pictures and prints how many of the plates that were said with so much confidence are right, as \
                it is and after a curve that was fitted on other plates (five parts, split by plate); from which confidence on \
                95 % are right, which is what passages are recorded from by themselves; and the curves. Measure on pictures that \
                nothing was tuned on.

                Example: checkpost bench confidence plates/*
                """)

        @OptionGroup var labelled: LabelledOptions

        func run() throws {
            try labelled.report(text: \.text, ConfidenceBench(recognizer: labelled.reader.makeRecognizer()).measure)
        }
    }

    struct Conditions: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "conditions", abstract: "Measure what night and weather take from the reader.",
            discussion: """
                Draws dusk, infrared light, headlights, a burnt-out plate, rain, dust, a shadow and a slow shutter over labelled \
                pictures, reads them, and prints of how many the surest answer was right, with what to change at the post. It \
                shows which costs most, not what a camera will lose.

                Example: checkpost bench conditions plates/np
                """)

        @Option(help: "The number that every chance comes from.")
        var seed: UInt64 = 1

        @OptionGroup var labelled: LabelledOptions

        func run() throws {
            let bench = ConditionsBench(recognizer: try labelled.reader.makeRecognizer(), seed: seed)
            try labelled.report(text: \.text, bench.measure)
        }
    }
}
