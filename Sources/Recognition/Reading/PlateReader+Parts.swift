import Enforcement

extension PlateReader {
    /// A plate that reads as less is looked at once more without what may not belong to it.
    static let doubtful = 0.3

    /// How likely it is that a row of three is none, when the other two make a plate.
    private static let chanceOfNoRow = 0.9

    /// How likely it is that the glyph at the end of a row is none, when the others make a plate.
    private static let chanceOfNoGlyph = 0.6

    /// What is left of a painted plate without a row or without a glyph: a lamp above it or a bumper below it is now and then taken for
    /// a row, a screw or an emblem for a glyph.
    static func parts(of rows: [RowReading]) -> [(rows: [RowReading], chance: Double)] {
        var parts: [(rows: [RowReading], chance: Double)] = []
        if rows.count == 3 {
            parts.append((Array(rows.dropFirst()), chanceOfNoRow))
            parts.append((Array(rows.dropLast()), chanceOfNoRow))
        }
        for (index, row) in rows.enumerated() where row.characters.count > 2 {
            for isLast in [true, false] {
                var rows = rows
                let end = isLast ? rows[index].characters.removeLast() : rows[index].characters.removeFirst()
                rows[index].glyphs = max(rows[index].characters.count, rows[index].glyphs - 1)
                parts.append((rows, chanceOfNoGlyph * (1 - 0.5 * end.alternatives.likeliest)))
            }
        }
        return parts
    }
}
