import Enforcement

extension PlateReader {
    /// An end that was read surely is none half as likely as one that was hardly read.
    private static let weightOfSureEnd = 0.5

    /// A row of fewer characters is not made shorter.
    private static let leastCharacters = 3

    /// What is left of a painted plate without a row or without a glyph: a lamp above it or a bumper below it is now and then taken for
    /// a row, a screw or an emblem for a glyph.
    static func parts(
        of rows: [RowReading], _ limits: ReaderParameters.Plate
    ) -> [(rows: [RowReading], chance: Double)] {
        var parts: [(rows: [RowReading], chance: Double)] = []
        if rows.count == 3 {
            parts.append((Array(rows.dropFirst()), limits.chanceOfNoRow))
            parts.append((Array(rows.dropLast()), limits.chanceOfNoRow))
        }
        for (index, row) in rows.enumerated() where row.characters.count >= leastCharacters {
            for isLast in [true, false] {
                var rows = rows
                let end = isLast ? rows[index].characters.removeLast() : rows[index].characters.removeFirst()
                rows[index].glyphs = max(rows[index].characters.count, rows[index].glyphs - 1)
                let doubt = 1 - weightOfSureEnd * end.alternatives.likeliest
                parts.append((rows, limits.chanceOfNoGlyph * doubt))
            }
        }
        return parts
    }
}
