import Appliance
import ArgumentParser
import Enforcement
import Foundation
import ReaderLab
import Recognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read the number plates in pictures.",
        discussion: """
            Prints each plate that was found: the plate, how sure it is (0 to 1), where it is in the picture (left, top, \
            width, height in pixels), the format that it fits, and the time taken. Nothing is recorded.

            A file that is no picture is named on the standard error, the others are still read, and the exit code is 1.

            With --explain each picture gets a folder with a page of what was done with it, stage by stage, and why it was \
            given up; stages.tsv holds the same for other programs.

            Example: checkpost read --country np gate/*.jpg
            Example: checkpost read --explain photo.jpg
            """)

    @Argument(help: "JPEG, PNG, WebP, BMP or PNM files.", completion: .file())
    var pictures: [String]

    @Flag(help: "Print one JSON object a picture, each on one line.")
    var json = false

    @Flag(help: "Write what was done with each picture, stage by stage, into a folder of its name.")
    var explain = false

    @Option(help: "With --explain: where the folders are made.", completion: .directory)
    var output: String?

    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard output == nil || explain else { throw ValidationError("--output goes with --explain.") }
    }

    func run() throws {
        let recognizer = try reader.makeRecognizer()
        var failures = 0
        var folders = ExplanationFolders(in: output ?? "explained")
        for path in pictures {
            do {
                let data = try PictureFile.read(path)
                let result =
                    explain ? try explained(data, path, by: recognizer, &folders) : try recognizer.recognize(data)
                if json { try Output.printJSON(PictureReport(file: path, result: result)) } else { show(path, result) }
            } catch {
                failures += 1
                if json { try Output.printJSON(PictureReport(file: path, error: "\(error)")) }
                Output.note("\(path): \(error)")
            }
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private func explained(
        _ picture: Data, _ path: String, by recognizer: PlateRecognizer, _ folders: inout ExplanationFolders
    ) throws -> PlateRecognizer.Result {
        let explanation = try Explanation(of: picture, file: path, by: recognizer)
        let folder = folders.folder(for: path)
        try explanation.write(to: folder)
        Output.note("\(path): \(folder.appendingPathComponent(Explanation.page).relativePath)")
        return explanation.result
    }

    private func show(_ path: String, _ result: PlateRecognizer.Result) {
        let time = Output.decimal(result.times.totalMs, 0) + " ms"
        for box in result.unread.map(\.box) {
            print(
                "\(path): a plate that can't be read  box \(box.x),\(box.y) \(box.width)x\(box.height)  (\(time))")
        }
        if result.readings.isEmpty, result.unread.isEmpty { return print("\(path): no plate (\(time))") }
        for reading in result.readings {
            let box = reading.box
            print(
                "\(path): \(reading.plate.canonical)  sure \(Output.decimal(reading.confidence, 2))  "
                    + "box \(box.x),\(box.y) \(box.width)x\(box.height)  \(reading.format)  (\(time))")
        }
    }
}

/// How pictures are read.
struct ReaderOptions: ParsableArguments {
    @Option(help: "The folder with the models. Without it, the one that CHECKPOST_MODELS names, or the usual places.")
    var models: String?

    @Option(help: "Two letters: the country whose plates are likelier here. It weighs and never blinds.")
    var country: String?

    func validate() throws {
        if let country, !Country.isCode(country) { throw ValidationError("--country is \(Country.allowed).") }
    }

    func makeRecognizer() throws -> PlateRecognizer {
        let recognizer = try PlateRecognizer(models: models, country: country)
        recognizer.problems.forEach { Output.note($0) }
        return recognizer
    }

    /// - Parameter parameters: in the place of those that lie beside the models.
    func makeRecognizer(with parameters: ReaderParameters) throws -> PlateRecognizer {
        try PlateRecognizer(models: models, country: country, parameters: parameters)
    }
}
