import Plates

/// How plates of one script are written and read.
package struct ScriptProfile: Codable, Sendable, Equatable {
    /// The lines of a picture that are read at most: what bounds the time. A line takes 2 to 6 ms.
    package var lines: Int

    /// The same for the places that are read by their colour.
    package var linesInColour: Int

    /// The same for rows above those that were read, at each of these places.
    package var linesAbove: Int

    /// In the order in which they are taken, until a row is read surely or isn't worth more.
    package var looks: [Look]

    /// How long rows are read on; absent where each row is read to its end.
    package var patience: Patiences?

    /// How a row is read glyph by glyph once more; absent where it isn't.
    package var glyphs: Glyphs?

    /// Whether rows that stand together are one plate's and lean alike; glyphs of others that do need not belong together.
    package var rowsLeanAlike: Bool

    package var row: Row

    /// What is added to the evidence of a plate in this script.
    package var evidence: Shift

    /// One look at a row: how its glyphs are told from the ground, and whether the second model reads them.
    package enum Look: String, Codable, Sendable {
        case global, local, parted, dark, bright
        case globalBySecond = "global by second"
        case localBySecond = "local by second"
        case partedBySecond = "parted by second"

        var binarisation: Binarisation {
            switch self {
            case .global, .globalBySecond: .global
            case .local, .localBySecond: .local
            case .parted, .partedBySecond: .parted
            case .dark: .dark
            case .bright: .bright
            }
        }

        var isSecond: Bool { self == .globalBySecond || self == .localBySecond || self == .partedBySecond }
    }

    /// How long a row is read on: what reads badly once or twice reads badly always.
    package struct Patience: Codable, Sendable, Equatable {
        /// The least sureness of the first reading.
        package var first: Double

        /// The least sureness of the better one of the first two.
        package var second: Double

        func allowsMore(after readings: [RowReading]) -> Bool {
            switch readings.count {
            case 1: readings[0].sureness >= first
            case 2: max(readings[0].sureness, readings[1].sureness) >= second
            default: true
            }
        }
    }

    package struct Patiences: Codable, Sendable, Equatable {
        /// Rows above the last are painted in all manners.
        package var upper: Patience

        /// The last row of a painted plate holds its number: digits, which are read surely or aren't there. It is read first, and
        /// nothing of the plate is read when it isn't: of the plates in photos that were read right none had a last row less sure than
        /// 0.85; of what is none most stay below 0.7.
        package var painted: Patience

        /// The same of rows that were found by their glyphs, which are cut out better than painted ones.
        package var found: Patience
    }

    package struct Glyphs: Codable, Sendable, Equatable {
        /// The row is read so from this on: its sureness, twice as much where its glyphs were all told apart.
        package var leastWorth: Double

        /// How much glyphs read alone count beside the row read whole.
        package var share: Double
    }

    /// How glyphs stand in a row that was brought to glyphs of 30 px.
    package struct Row: Codable, Sendable, Equatable {
        /// How far from the row's middle ink can belong to a glyph, in pixels: what is farther is cut off, so that a border that touches
        /// the glyphs lets go of them.
        package var reachPx: Int

        /// The same where glyphs are parted from their frame …
        package var reachPartedPx: Int

        /// … and where the plate's sides are known: a border that is cut off above, below and beyond them lets go of everything.
        package var reachSidedPx: Int

        /// Of a glyph's height in glyph heights: Devanagari's painters' zeros, and the digits behind a province's name, are lower than the
        /// glyphs with signs beside them. Dots and hyphens are lower still.
        package var lowest: Double
        package var highest: Double

        /// How far a glyph's middle may be from the row's, and how wide it may be, in glyph heights: a word is one glyph in Devanagari.
        package var offMiddle: Double
        package var widest: Double

        /// A wider gap ends the row, in glyph heights.
        package var widestGap: Double

        /// Whether what lies beyond the plate's sides, or goes on above and below the row, is frame. Where not, the plate is read from side
        /// to side, thin borders are cut loose, and their upright sides are no glyphs.
        package var keepsToSides: Bool

        /// Whether a glyph as wide as two is two that touch.
        package var partsTouching: Bool

        /// How alike the glyphs are; absent where they aren't.
        package var even: Even?
    }

    /// How alike the glyphs of a row are.
    package struct Even: Codable, Sendable, Equatable {
        /// How much a glyph's height may differ from the usual one, as a part of it.
        package var height: Double

        /// The same of a bar: of another height than the glyphs it is a piece of the frame, not a 1.
        package var bar: Double

        /// Strokes this many times as wide as the row's usual ones belong to no glyph of it.
        package var stroke: Double
    }

    /// What a script adds to the evidence, as log odds: its model is another one.
    package struct Shift: Codable, Sendable, Equatable {
        package var intercept: Double
        package var disagreement: Double
        package var presence: Double
        package var weakest: Double
    }
}

extension ReaderParameters.Scripts {
    package subscript(script: PlateFormat.Script) -> ScriptProfile {
        switch script {
        case .latin: latin
        case .devanagari: devanagari
        }
    }

    /// How many lines of each script a picture may have read.
    var lines: [PlateFormat.Script: Int] { [.latin: latin.lines, .devanagari: devanagari.lines] }
    var linesAbove: [PlateFormat.Script: Int] {
        [.latin: latin.linesAbove, .devanagari: devanagari.linesAbove]
    }
    var linesInColour: [PlateFormat.Script: Int] {
        [.latin: latin.linesInColour, .devanagari: devanagari.linesInColour]
    }
}
