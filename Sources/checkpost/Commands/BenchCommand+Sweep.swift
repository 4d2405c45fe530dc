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
                with a plate nothing was said. `checkpost model show` names the parameters. Nothing is changed; measure on \
                pictures that nothing was tuned on before you change reader.json.

                Example: checkpost bench sweep cascade.enough_confidence --from 0.3 --to 0.9 --steps 7 plates/np
                """)

        @Argument(help: "The parameter's name, as `checkpost model show` has it.")
        var parameter: String

        @Option(parsing: .unconditional, help: "The first value.")
        var from: Double

        @Option(parsing: .unconditional, help: "The last value.")
        var to: Double

        @Option(help: "How many values, 2 to 50, evenly from the first to the last.")
        var steps = 5

        @OptionGroup var labelled: LabelledOptions

        func validate() throws {
            guard (2...50).contains(steps) else { throw ValidationError("--steps is 2 to 50.") }
            guard from.isFinite, to.isFinite, from < to else {
                throw ValidationError("--from is to be less than --to.")
            }
        }

        func run() throws {
            let parameters = try ModelFolder.parameters(given: labelled.reader.models)
            let sweep = try ParameterSweep.asked(parameter, from: from, to: to, count: steps, parameters: parameters)
            try labelled.report(text: \.text) { set, tell in
                // What is missing is said once, not for each value.
                let first = try labelled.reader.makeRecognizer()
                return try sweep.measure(set, tell: tell) { other in
                    other == parameters ? first : try labelled.reader.makeRecognizer(with: other)
                }
            }
        }
    }
}
