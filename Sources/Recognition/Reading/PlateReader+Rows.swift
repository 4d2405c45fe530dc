import Enforcement

/// How rows are read: in one way after another, as long as it pays.
extension PlateReader {
    /// Rows below this look hardly like a plate's.
    static let promisingScore = 0.5

    /// A row that hardly looks like a plate's is read on when one of its first two readings is at least this sure.
    private static let promisingSureness = 0.75

    private static let leastInDevanagari = 0.5

    /// How long a Devanagari row is read on: what reads badly once or twice reads badly always.
    struct Patience {
        /// The least sureness of the first reading.
        let first: Double

        /// The least sureness of the better one of the first two.
        let second: Double

        /// Whether nothing of the plate is read when this row isn't.
        var isDecisive = false

        /// Rows above the last are painted in all manners.
        static let upper = Patience(first: 0.5, second: 0.7)

        /// The last row of a painted plate holds its number: digits, which are read surely or aren't there. It is read first: of the
        /// plates in photos that were read right none had a last row less sure than 0.85; of what is none most stay below 0.7.
        static let painted = Patience(first: 0.6, second: 0.75, isDecisive: true)

        /// Rows of glyphs are cut out better than painted ones.
        static let glyphs = Patience(first: 0.75, second: 0.75, isDecisive: true)

        func allowsMore(after readings: [RowReading]) -> Bool {
            switch readings.count {
            case 1: readings[0].sureness >= first
            case 2: max(readings[0].sureness, readings[1].sureness) >= second
            default: true
            }
        }
    }

    /// One look at a row: how its glyphs are told from the ground, and whether the second model reads them.
    private struct Look {
        let binarisation: Binarisation
        var isSecond = false
    }

    /// In the order in which they are taken, until a row is read surely or isn't worth more.
    private static let looks = [
        Look(binarisation: .global), Look(binarisation: .local), Look(binarisation: .local, isSecond: true),
        Look(binarisation: .parted), Look(binarisation: .global, isSecond: true), Look(binarisation: .dark),
        Look(binarisation: .parted, isSecond: true), Look(binarisation: .bright),
    ]

    /// Reads a row in one way after another, until it is read surely or isn't worth more.
    func readRow(
        _ row: GlyphChain, _ crop: RowCrop, on place: Box?, _ model: ScriptModel, isSecond: Bool, patience: Patience
    ) -> RowReading {
        var readings: [RowReading] = []
        var lines: [Binarisation: LineImage?] = [:]
        var fullest: (line: LineImage, worth: Double)?
        for look in Self.looks {
            guard linesLeft[model.script, default: 0] > 0 else { break }
            let isPromising = row.score >= Self.promisingScore
            guard !look.isSecond || (isPromising && model.script == .latin && second != nil) else { continue }
            // Strokes of type are never as faint as a painter's.
            if look.binarisation == .bright, model.script == .latin { continue }
            if model.script == .devanagari, !patience.allowsMore(after: readings) {
                if patience.isDecisive { return .voted(readings) }
                break
            }
            // A row that hardly looks like a plate, or stands beside a plate that was read, must read well soon.
            if readings.count > 1, !isPromising || isSecond,
                !readings.contains(where: { $0.characters.count > 3 && $0.sureness >= Self.promisingSureness })
            {
                break
            }
            if lines[look.binarisation] == nil {
                lines[look.binarisation] = extractor.line(
                    of: crop, binarisation: look.binarisation, script: model.script)
            }
            guard let known = lines[look.binarisation], let line = known else { continue }
            linesLeft[model.script, default: 0] -= 1
            let symbols = (look.isSecond ? second : model)?.read(line) ?? []
            var reading = RowReading(symbols, of: line)
            reading.note(crop, expected: row.glyphs.count, shown: row.glyphs(on: place))
            if !look.isSecond { looked[LookKey(row: RowKey(row, model), way: look.binarisation)] = reading }
            // Two that agree need no third, and one that is sure no second, unless another surely said something else.
            if reading.isSure(expected: row.glyphs.count), !readings.contains(where: { $0.contradicts(reading) }) {
                return reading
            }
            let isShort = reading.characters.count <= 4
            if !isShort || (isShort && reading.isWholeAndClear(expected: row.glyphs.count)),
                reading.characters.count >= row.glyphs.count, readings.contains(where: { $0.text == reading.text })
            {
                return .voted(readings + [reading])
            }
            readings.append(reading)
            let worth = reading.worth(expected: row.glyphs.count)
            if worth > fullest?.worth ?? Self.leastInDevanagari { fullest = (line, worth) }
        }
        if model.script == .devanagari, let line = fullest?.line, let glyphs = readGlyphs(of: line, as: model) {
            readings.append(glyphs)
        }
        return .voted(readings)
    }
}
