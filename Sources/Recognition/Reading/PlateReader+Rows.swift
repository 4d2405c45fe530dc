import Enforcement
import Plates

/// How rows are read: in one way after another, as long as it pays.
extension PlateReader {
    struct RowKey: Hashable {
        let box: Box
        let script: PlateFormat.Script

        init(_ row: GlyphChain, _ model: ScriptModel) {
            box = row.box
            script = model.script
        }
    }

    struct LookKey: Hashable {
        let row: RowKey
        let way: Binarisation
    }

    /// How long a row is read on, and whether nothing of the plate is read when this row isn't.
    struct Patience {
        let limits: ScriptProfile.Patience
        let isDecisive: Bool

        init(of limits: ScriptProfile.Patience, isDecisive: Bool) {
            self.limits = limits
            self.isDecisive = isDecisive
        }
    }

    /// Fewer characters than this are no row of a plate that stands alone: shorter ones must look like a plate's at once.
    private static let readable = 4

    /// So many sure readings that agree settle a row, whatever else stands beside its glyphs.
    private static let agreeing = 3

    /// Shorter rows are one of a plate's two: two readings that agree on them may agree on texture.
    static let longRow = 5

    /// Reads a row in one way after another, until it is read surely or isn't worth more.
    func readRow(
        _ row: GlyphChain, _ crop: RowCrop, on place: Box?, _ model: ScriptModel, isSecond: Bool,
        patience: Patience?
    ) -> RowReading {
        let profile = parameters.scripts[model.script]
        let limits = parameters.rows
        var readings: [RowReading] = []
        trace?.note(.row, at: row.box, model.script.rawValue, "straightened", crop.image)
        var lines: [Binarisation: LineImage?] = [:]
        var fullest: (line: LineImage, worth: Double)?
        for look in profile.looks {
            guard linesLeft[model.script, default: 0] > 0 else { break }
            let isPromising = row.score >= limits.promisingScore
            guard !look.isSecond || (isPromising && model.script == .latin && second != nil) else { continue }
            if let patience, !patience.limits.allowsMore(after: readings) {
                if patience.isDecisive { return .voted(readings, limits) }
                break
            }
            // A row that hardly looks like a plate, or stands beside a plate that was read, must read well soon.
            if readings.count > 1, !isPromising || isSecond,
                !readings.contains(where: {
                    $0.characters.count >= Self.readable && $0.sureness >= limits.promisingSureness
                })
            {
                break
            }
            if lines[look.binarisation] == nil {
                lines[look.binarisation] = extractor.line(
                    of: crop, binarisation: look.binarisation, profile.row)
            }
            guard let known = lines[look.binarisation], let line = known else {
                trace?.note(.line, at: row.box, look.rawValue, "no glyphs that stand in a row")
                continue
            }
            linesLeft[model.script, default: 0] -= 1
            let symbols = (look.isSecond ? second : model)?.read(line) ?? []
            var reading = RowReading(symbols, of: line)
            reading.note(crop, expected: row.glyphs.count, shown: row.glyphs(on: place))
            trace?.note(.line, at: row.box, look.rawValue, ReadingTrace.words(reading), line.image)
            if !look.isSecond { looked[LookKey(row: RowKey(row, model), way: look.binarisation)] = reading }
            // Two that agree need no third, and one that is sure no second, unless another surely said something else.
            if reading.isSure(expected: row.glyphs.count, limits),
                !readings.contains(where: { $0.contradicts(reading, limits) })
            {
                return reading
            }
            if reading.isLong || reading.isWholeAndClear(expected: row.glyphs.count, limits),
                reading.characters.count >= row.glyphs.count, readings.contains(where: { $0.text == reading.text })
            {
                return .voted(readings + [reading], limits)
            }
            readings.append(reading)
            let same = readings.count { $0.text == reading.text && $0.sureness >= limits.sureCharacter }
            if reading.characters.count > 1, same >= Self.agreeing {
                var settled = RowReading.voted(readings, limits)
                settled.glyphs = settled.characters.count
                return settled
            }
            let worth = reading.worth(expected: row.glyphs.count)
            if let glyphs = profile.glyphs, worth > fullest?.worth ?? glyphs.leastWorth { fullest = (line, worth) }
        }
        if let alone = profile.glyphs, let line = fullest?.line,
            let glyphs = readGlyphs(of: line, as: model, share: alone.share)
        {
            trace?.note(.glyphs, at: row.box, "one by one", ReadingTrace.words(glyphs))
            readings.append(glyphs)
        }
        let voted = RowReading.voted(readings, limits)
        trace?.note(.vote, at: row.box, "\(readings.count) readings", ReadingTrace.words(voted))
        return voted
    }
}
