import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Recognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read the number plates in pictures.",
        discussion: """
            Prints each plate that was found: the plate, how sure it is (0 to 1), where it is in the picture (left, top, \
            width, height in pixels), the format that it fits, and the time taken. Nothing is recorded.

            A file that is no picture is named on the standard error, the others are still read, and the exit code is 1.

            Example: checkpost read --country np gate/*.jpg
            """)

    @Argument(help: "JPEG, PNG, WebP, BMP or PNM files.", completion: .file())
    var pictures: [String]

    @Flag(help: "Print one JSON object a picture, each on one line.")
    var json = false

    @OptionGroup var reader: ReaderOptions

    func run() throws {
        let recognizer = try reader.makeRecognizer()
        var failures = 0
        for path in pictures {
            do {
                let result = try recognizer.recognize(try PictureFile.read(path))
                if json { try Output.printJSON(PictureReport(file: path, result: result)) } else { show(path, result) }
            } catch {
                failures += 1
                if json { try Output.printJSON(PictureReport(file: path, error: "\(error)")) }
                Output.note("\(path): \(error)")
            }
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private func show(_ path: String, _ result: PlateRecognizer.Result) {
        let time = Output.decimal(result.times.totalMs, 0) + " ms"
        if result.readings.isEmpty { return print("\(path): no plate (\(time))") }
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
}

/// Reads a picture's file, with a bound.
enum PictureFile {
    /// Larger files are refused before they are read.
    static let maximumBytes = 100 << 20

    static func read(_ path: String) throws -> Data {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { throw CommandError("there is no such file.", hint: "Check the path.") }
        guard attributes[.type] as? FileAttributeType != .typeDirectory else {
            throw CommandError("this is a folder.", hint: "Name the pictures in it, or use `checkpost replay`.")
        }
        // It follows links.
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandError("the link leads nowhere.", hint: "Check the path.")
        }
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let file = try? FileManager.default.attributesOfItem(atPath: resolved) else {
            throw CommandError("the file can't be read.", hint: "Check its permissions.")
        }
        guard file[.type] as? FileAttributeType == .typeRegular else {
            throw CommandError("this is no file but a pipe or a device.", hint: "Name a picture's file.")
        }
        guard let size = file[.size] as? Int, size <= maximumBytes else {
            throw CommandError("the file is larger than 100 MB.", hint: "A camera's picture is smaller.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("the file can't be read.", hint: "Check its permissions.")
        }
        return data
    }
}

/// What was seen in a picture, as `read --json` prints it.
struct PictureReport: Encodable {
    struct PlateReport: Encodable {
        struct CandidateReport: Encodable {
            let plate: String
            let confidence: Double
        }

        let plate: String
        let text: String
        let raw: String
        let confidence: Double
        let box: Box
        let format: String

        /// The ground that it stands on, where it was seen.
        let colour: PlateColour?
        let candidates: [CandidateReport]

        init(_ reading: PlateReading) {
            plate = reading.plate.compact
            text = reading.plate.canonical
            raw = reading.raw
            confidence = rounded(reading.confidence, 4)
            box = reading.box
            format = reading.format
            colour = reading.colour
            candidates = reading.candidates.map {
                CandidateReport(plate: $0.plate.compact, confidence: rounded($0.confidence, 4))
            }
        }
    }

    let file: String
    var width: Int?
    var height: Int?
    var ms: Double?
    var plates: [PlateReport] = []
    var regions: [Box]?
    var error: String?

    init(file: String, result: PlateRecognizer.Result) {
        self.file = file
        width = result.width
        height = result.height
        ms = rounded(result.times.totalMs, 2)
        plates = result.readings.map(PlateReport.init)
        regions = result.regions
    }

    init(file: String, error: String) {
        self.file = file
        self.error = error
    }
}

private func rounded(_ value: Double, _ digits: Int) -> Double {
    let factor = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    return (value * factor).rounded() / factor
}
