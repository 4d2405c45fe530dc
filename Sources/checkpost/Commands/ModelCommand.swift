import Enforcement
import ArgumentParser
import ReaderLab
import Recognition

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "See, switch and check the models that read plates.",
        discussion: """
            A model that is taken into use puts the former one on a shelf beside it, from where it comes back by its hash. The \
            reader's parameters (reader.json) are among the models: those that lie beside a model come with it, since they \
            were measured with it. The database isn't touched; a running post reads with the new model from its next start on.

            Example: checkpost model use new/devanagari-plate.traineddata && systemctl restart checkpost
            """,
        subcommands: [ListCommand.self, ShowCommand.self, UseCommand.self, VerifyCommand.self])

    struct Place: ParsableArguments {
        @Option(help: "The folder with the models. Without it, CHECKPOST_MODELS and the usual places are searched.")
        var models: String?

        func shelf() throws -> ModelShelf {
            try ModelShelf(folder: try ModelFolder.folder(of: ModelFolder.latinModel, given: models))
        }
    }

    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the models in use and those on the shelf, with the parameters that belong to them.")

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var place: Place

        func run() throws {
            let shelf = try place.shelf()
            let entries = shelf.entries()
            if json { return try Output.printJSON(entries) }
            for entry in entries {
                let use = entry.isUsed ? "in use  " : "on shelf"
                print("\(use)  \(entry.hash)  \(entry.name)  \(entry.bytes / 1000) kB\(Self.company(of: entry, shelf))")
            }
        }

        /// What goes with a model, or which models parameters go with.
        static func company(of entry: ModelShelf.Entry, _ shelf: ModelShelf) -> String {
            guard entry.name == ModelShelf.parametersName else {
                return entry.parameters.map { "  with \(ModelShelf.parametersName) \($0)" } ?? ""
            }
            guard let strangers = shelf.strangers(to: entry) else { return "  can't be used" }
            return strangers.isEmpty
                ? "  made for these models" : "  made for another " + strangers.joined(separator: " and another ")
        }
    }

    struct ShowCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a model in use; the reader's parameters with their values.",
            discussion: "Example: checkpost model show reader")

        @Argument(help: "The name of a model, as `model list` has it.")
        var name = ModelShelf.parametersName

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var place: Place

        private struct Report: Encodable {
            let model: ModelShelf.Entry
            let values: [ReaderParameters.Named]?
        }

        func run() throws {
            let shelf = try place.shelf()
            guard let entry = shelf.used(name) else {
                throw AdvisedError(
                    "no model called \(name) is in use in \(shelf.folder.path).",
                    hint: "`checkpost model list` names them.")
            }
            let isParameters = name == ModelShelf.parametersName
            let numbers = isParameters ? try ModelFolder.parameters(given: shelf.folder.path).numbers : nil
            if json { return try Output.printJSON(Report(model: entry, values: numbers)) }
            print("\(entry.name)  \(entry.hash)  \(entry.path)\(ListCommand.company(of: entry, shelf))")
            guard let numbers else { return }
            var table = TextTable([("parameter", .left), ("value", .right)])
            for number in numbers { table.add([number.name, Output.number(number.value)]) }
            print(table.text)
        }
    }

    struct UseCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Take a model into use; the former one goes on the shelf.")

        @Argument(help: "A traineddata or weights file, or the first digits of the hash of a model on the shelf.")
        var model: String

        @OptionGroup var place: Place

        func run() throws {
            let shelf = try place.shelf()
            let taken = try shelf.use(model)
            let company = taken.parameters.map { ", and with it \($0.name) \($0.hash)" } ?? ""
            print(
                "\(taken.model.name) \(taken.model.hash) is in use now\(company). A running post takes it at its next start."
            )
            guard let parameters = shelf.used(ModelShelf.parametersName),
                let strangers = shelf.strangers(to: parameters), !strangers.isEmpty
            else { return }
            Output.note(
                "The parameters in use (\(parameters.name) \(parameters.hash)) were made for another "
                    + strangers.joined(separator: " and another ")
                    + ": `checkpost bench confidence` shows what they are worth with this one.")
        }
    }

    struct VerifyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that the models in use load, and that they are those that were shipped.",
            discussion: """
                The hashes are those that stand in MODEL.md beside the models. Exits with 1 when a model is missing, doesn't \
                load, or is neither as shipped nor taken into use with `model use`: then its file was damaged or exchanged.
                """)

        @OptionGroup var place: Place

        func run() throws {
            let check = ModelCheck(try place.shelf())
            for finding in check.findings {
                print("\(finding.hash ?? "missing     ")  \(finding.name)  \(finding.state)")
            }
            if check.isWrong { throw ExitCode(1) }
        }
    }
}
