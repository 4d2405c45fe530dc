import Enforcement
import ArgumentParser
import ReaderLab
import Recognition

extension BenchCommand {
    struct Sweep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep", abstract: "Measure what one of the reader's parameters does.",
            discussion: """
                Reads labelled pictures with one value of the parameter after another, and with the one in use, all other \
                parameters as they are. Prints of how many pictures the surest answer was right, how many wrong, and of how many \
                with a plate nothing was said. `checkpost model show` names the parameters. A folder without truth.csv is \
                skipped. Nothing is changed; measure on pictures that nothing was tuned on before you change reader.json.

                Example: checkpost bench sweep cascade.enough_confidence --from 0.3 --to 0.9 --steps 7 plates/np
                """)

        @Argument(help: "The parameter's name, as `checkpost model show` has it.")
        var parameter: String

        @Argument(help: "Folders of pictures with truth.csv (file,x,y,w,h,plate,country).", completion: .directory)
        var folders: [String]

        @Option(parsing: .unconditional, help: "The first value.")
        var from: Double

        @Option(parsing: .unconditional, help: "The last value.")
        var to: Double

        @Option(help: "How many values, 2 to 50, evenly from the first to the last.")
        var steps = 5

        @Option(help: "At most so many pictures of each folder.")
        var limit: Int?

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var reader: ReaderOptions

        func validate() throws {
            guard (2...50).contains(steps) else { throw ValidationError("--steps is 2 to 50.") }
            guard from.isFinite, to.isFinite, from < to else {
                throw ValidationError("--from is to be less than --to.")
            }
            if let limit, limit < 1 { throw ValidationError("--limit is at least 1.") }
        }

        func run() throws {
            let parameters = try ModelFolder.parameters(given: reader.models)
            let sweep: ParameterSweep
            do throws(ReaderParameters.Failure) {
                sweep = try ParameterSweep(parameter, from: from, to: to, count: steps, parameters: parameters)
            } catch {
                throw AdvisedError(
                    String(sentence: error), hint: "`checkpost model show` names the parameters and their values.")
            }
            let display = LabDisplay()
            let set = try LabelledSet(folders, limit: limit, tell: display.show)
            // What is missing is said once, not for each value.
            let first = try reader.makeRecognizer()
            let report = try sweep.measure(set, tell: display.show) { other in
                other == parameters ? first : try reader.makeRecognizer(with: other)
            }
            if json { try Output.printJSON(report) } else { print(report.text) }
        }
    }
}
