import Recognition

extension AccuracyReport {
    /// Reads every picture of a truth table alone.
    ///
    /// - Parameters:
    ///   - folder: where the pictures are.
    ///   - prefix: of the names of those that are scored.
    /// - Returns: nil when the table names no such picture.
    package init?(
        of table: TruthTable, in folder: String, prefix: String, isByBox: Bool, by recognizer: PlateRecognizer,
        tell: LabEvent.Teller
    ) {
        let files = Dictionary(grouping: table.entries.filter { $0.file.hasPrefix(prefix) }, by: \.file)
        guard !files.isEmpty else { return nil }
        self.init(isByBox: isByBox)
        tell(.begun("reading", total: files.count))
        for (file, entries) in files.sorted(by: { $0.key < $1.key }) {
            do {
                add(try recognizer.recognize(try PictureFile.read("\(folder)/\(file)")), entries: entries)
            } catch {
                add(nil, entries: entries)
                tell(.noted("\(file): \(error)"))
            }
            tell(.advanced(file))
        }
        tell(.finished)
    }
}
