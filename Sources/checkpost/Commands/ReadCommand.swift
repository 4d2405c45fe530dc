import ArgumentParser
import Enforcement
import Foundation
import Recognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", abstract: "Read the plates in pictures.")

    @Argument(help: "JPEG, PNG or PNM files.") var pictures: [String]
    @Flag(help: "Print one JSON object a picture, each on a line of its own.") var json = false
    @Option(help: "The folder with the models.") var models: String?
    @Option(help: "Two-letter country whose formats are likelier here.") var country: String?

    func run() throws {
        let recognizer = try PlateRecognizer(models: models, country: country)
        for path in pictures {
            do {
                let result = try recognizer.recognize(try Data(contentsOf: URL(fileURLWithPath: path)))
                let plates = result.readings.map { r in
                    [
                        "plate": r.plate.compact, "text": r.plate.canonical, "raw": r.raw, "confidence": r.confidence,
                        "box": [r.box.x, r.box.y, r.box.width, r.box.height], "format": r.format,
                    ] as [String: Any]
                }
                let o: [String: Any] = [
                    "file": path, "width": result.width, "height": result.height, "ms": result.times.totalMs,
                    "t": [result.times.decodeMs, result.times.findMs, result.times.readMs], "plates": plates,
                    "regions": result.regions.map { [$0.x, $0.y, $0.width, $0.height] },
                ]
                print(String(decoding: try JSONSerialization.data(withJSONObject: o), as: UTF8.self))
            } catch { print("{\"file\":\"\(path)\",\"error\":\"\(error)\",\"plates\":[]}") }
        }
    }
}
