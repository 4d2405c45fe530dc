import Foundation
import Recognition

extension AccuracyReport {
    /// Reads every picture of a truth table alone.
    ///
    /// - Parameters:
    ///   - folder: where the pictures are.
    ///   - prefix: of the names of those that are scored.
    ///   - page: shows every plate; nil for none.
    /// - Returns: nil when the table names no such picture.
    package init?(
        of table: TruthTable, in folder: String, prefix: String, isByBox: Bool, by recognizer: PlateRecognizer,
        page: AccuracyPage? = nil, tell: LabEvent.Teller
    ) throws {
        let files = Dictionary(grouping: table.entries.filter { $0.file.hasPrefix(prefix) }, by: \.file)
        guard !files.isEmpty else { return nil }
        self.init(isByBox: isByBox)
        tell(.begun("reading", total: files.count))
        for (file, entries) in files.sorted(by: { $0.key < $1.key }) {
            let trace = ReadingTrace(keepsPictures: false)
            recognizer.trace = trace
            defer { recognizer.trace = nil }
            var picture: Data?
            var result: PlateRecognizer.Result?
            do {
                let data = try PictureFile.read("\(folder)/\(file)")
                picture = data
                result = try recognizer.recognize(data)
            } catch {
                tell(.noted("\(file): \(error)"))
            }
            try add(result, entries: entries, trace: trace) { entry, plate, answer, miss in
                try page?.add(entry, plate, answer, miss: miss, picture: picture)
            }
            tell(.advanced(file))
        }
        try page?.write()
        tell(.finished)
    }
}
