import Enforcement
import Foundation
import Recognition

/// A page with every true plate cut out of its picture, what it is and what was read: the misses first.
package final class AccuracyPage {
    private let folder: URL
    private var rows: [(isRight: Bool, html: String)] = []
    private var crops = 0

    /// More plates than this are counted and not shown.
    package static let maximumPlates = 5000

    /// - Parameter folder: made when it isn't there; pages and pictures of the same name in it are replaced.
    package init(folder: URL) throws {
        self.folder = folder
        try LabFolder.make(folder)
    }

    func add(
        _ entry: TruthTable.Entry, _ plate: Plate, _ answer: PlateReading?, miss: Miss?, picture: Data?
    ) throws {
        guard rows.count < Self.maximumPlates else { return }
        var image = ""
        if let picture, let cut = try? PictureCrop.png(of: picture, box: entry.box) {
            crops += 1
            let name = "plate-\(crops).png"
            try cut.png.write(to: folder.appendingPathComponent(name))
            image = "<img src=\"\(name)\" alt=\"\">"
        }
        let read = answer.map { "\($0.plate.canonical), sure \(ReadingTrace.figure($0.confidence)), \($0.format)" }
        let html = HTMLText.row(
            [
                image, HTMLText.escaped(plate.canonical), HTMLText.escaped(read ?? "nothing"),
                HTMLText.escaped(miss?.cause.rawValue ?? "right"), HTMLText.escaped(miss?.why ?? ""),
                HTMLText.escaped(entry.file),
            ], kind: miss == nil ? "plate" : "end")
        rows.append((miss == nil, html))
    }

    /// Writes the page; nothing can be added afterwards that it would show.
    func write() throws {
        let missed = rows.filter { !$0.isRight }
        let body =
            "<p>\(missed.count) of \(rows.count) plates were not read right. They stand first.</p>\n"
            + HTMLText.table(
                ["", "plate", "read", "", "why", "picture"],
                rows: (missed + rows.filter(\.isRight)).map(\.html).joined())
        try Data(HTMLText.page(title: "Plates and what was read", body: body).utf8)
            .write(to: folder.appendingPathComponent("index.html"))
    }
}
