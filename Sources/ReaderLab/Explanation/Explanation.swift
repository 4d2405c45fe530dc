import Enforcement
import Foundation
import Recognition

/// Writes what the reader did with a picture into a folder: a page with the picture of each stage, and a table of the same for other programs.
package struct Explanation {
    /// Places that the network shows, and what was read.
    private static let seen = SIMD3<UInt8>(255, 160, 0)
    private static let read = SIMD3<UInt8>(0, 200, 60)

    package static let page = "index.html"
    package static let table = "stages.tsv"

    /// Pictures of stages beyond this many are left out; the table has every step.
    package static let maximumPictures = 400

    package let file: String
    private let picture: Data
    package let result: PlateRecognizer.Result
    private let trace: ReadingTrace

    /// Reads a picture and keeps what was done.
    ///
    /// - Throws: `ImageError` for what is no picture.
    package init(of picture: Data, file: String, by recognizer: PlateRecognizer) throws {
        let trace = ReadingTrace(keepsPictures: true)
        recognizer.trace = trace
        defer { recognizer.trace = nil }
        self.file = file
        self.picture = picture
        self.trace = trace
        result = try recognizer.recognize(picture)
    }

    /// - Parameter folder: made when it isn't there; pages and pictures of the same name in it are replaced.
    package func write(to folder: URL) throws {
        try LabFolder.make(folder)
        let marks =
            trace.steps.filter { $0.stage == .detection }.map { MarkedPicture.Mark($0.place, Self.seen) }
            + result.readings.map { MarkedPicture.Mark($0.box, Self.read) }
        try MarkedPicture.png(of: picture, marks: marks).write(to: folder.appendingPathComponent("picture.png"))
        var names: [Int: String] = [:]
        for (index, step) in trace.steps.enumerated() where names.count < Self.maximumPictures {
            guard let data = step.picture?.png else { continue }
            let name = "\(index + 1)-\(step.stage.rawValue).png"
            try data.write(to: folder.appendingPathComponent(name))
            names[index] = name
        }
        try Data(text(names).utf8).write(to: folder.appendingPathComponent(Self.table))
        try Data(html(names).utf8).write(to: folder.appendingPathComponent(Self.page))
    }

    private static func place(_ box: Box) -> String { "\(box.x),\(box.y) \(box.width)x\(box.height)" }

    private func text(_ names: [Int: String]) -> String {
        let rows = trace.steps.enumerated().map { index, step in
            [
                "\(index + 1)", step.stage.rawValue, Self.place(step.place), step.about, step.outcome,
                step.reason.map { "\($0)" } ?? "", names[index] ?? "",
            ].map { $0.replacing("\t", with: " ").replacing("\n", with: " ") }.joined(separator: "\t")
        }
        return (["step\tstage\tplace\twhat\toutcome\treason\tpicture"] + rows).joined(separator: "\n") + "\n"
    }

    private func html(_ names: [Int: String]) -> String {
        var body =
            "<p><img src=\"picture.png\" alt=\"\"></p>\n<p>Orange: where a plate may be. Green: what was read.</p>\n"
        let plates = result.readings.map {
            "\($0.plate.canonical), sure \(ReadingTrace.figure($0.confidence)), \($0.format), at \(Self.place($0.box))"
        }
        body += plates.isEmpty ? "<p>No plate was read.</p>\n" : ""
        for plate in plates { body += "<p><strong>\(HTMLText.escaped(plate))</strong></p>\n" }
        var rows = ""
        for (index, step) in trace.steps.enumerated() {
            let image = names[index].map { "<img src=\"\(HTMLText.escaped($0))\" alt=\"\">" } ?? ""
            rows += HTMLText.row(
                [
                    "\(index + 1)", step.stage.rawValue, HTMLText.escaped(Self.place(step.place)),
                    HTMLText.escaped(step.about), HTMLText.escaped(step.outcome), image,
                ], kind: step.stage.rawValue)
        }
        body += HTMLText.table(["", "stage", "place", "what", "outcome", ""], rows: rows)
        return HTMLText.page(title: "How \(URL(fileURLWithPath: file).lastPathComponent) was read", body: body)
    }
}
