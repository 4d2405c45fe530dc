import Plates

/// The gaps between the glyphs that were read of a plate: where another one has room, dirt or a shadow's edge hides it perhaps, and a shorter
/// plate fits a format as well (decision 0208).
struct GlyphGaps {
    /// Between two glyphs that follow one another, in heights of a glyph. Of 219 Latin plates that were read right the widest gap is 1.1,
    /// with an emblem in it; where a shadow's edge hid a glyph 1.37 and more was seen.
    private static let widest = 1.25

    /// From the middle of a glyph to that of the next one within a group, in the plate's usual step. Of 217 Latin plates that were read right
    /// one has a longer step; a hidden glyph makes two of one.
    private static let longestStep = 1.75

    /// Fewer steps don't tell which one is usual.
    private static let leastSteps = 3

    private let rows: [RowReading]

    init(_ rows: [RowReading]) { self.rows = rows }

    /// - Parameter plate: as it was read, its groups parted by spaces. Painters leave wider gaps than these limits: it is a Latin one.
    func haveRoomForAnother(in plate: Plate) -> Bool {
        let widest =
            rows.flatMap { zip($0.characters, $0.characters.dropFirst()).map { $1.left - $0.right } }.max() ?? 0
        if widest > Self.widest * Double(RowCrop.glyphHeight) { return true }
        let steps = stepsWithinGroups(of: plate).sorted()
        guard steps.count >= Self.leastSteps, let longest = steps.last else { return false }
        let usual = (steps[(steps.count - 1) / 2] + steps[steps.count / 2]) / 2
        return longest > Self.longestStep * usual
    }

    /// - Returns: none where the plate has not the glyphs that were read one by one.
    private func stepsWithinGroups(of plate: Plate) -> [Double] {
        var begins: Set<Int> = []
        var count = 0
        for symbol in plate.canonical {
            if symbol == " " { begins.insert(count) } else { count += 1 }
        }
        guard count == rows.reduce(0, { $0 + $1.characters.count }) else { return [] }
        var steps: [Double] = []
        var index = 0
        for row in rows {
            for (place, character) in row.characters.enumerated() {
                if place > 0, !begins.contains(index) {
                    steps.append(character.center - row.characters[place - 1].center)
                }
                index += 1
            }
        }
        return steps
    }
}
