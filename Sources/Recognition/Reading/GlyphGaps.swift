import Plates

/// The gaps between the glyphs that were read of a plate, in heights of a glyph: where another one has room, dirt or a shadow's edge hides it
/// perhaps, and a shorter plate fits a format as well.
struct GlyphGaps {
    /// Of 219 Latin plates that were read right the widest gap within a group is 0.6, beside a narrow 1, and the widest between two groups 1.1,
    /// with an emblem in it. Where a shadow's edge hid a glyph 1.37 and more was seen. Painters leave wider ones.
    private static let room = (within: 0.7, between: 1.25)

    private let rows: [RowReading]

    init(_ rows: [RowReading]) { self.rows = rows }

    /// - Parameter plate: as it was read, its groups parted by spaces.
    func haveRoomForAnother(in plate: Plate) -> Bool {
        let characters = rows.flatMap(\.characters)
        var begins: Set<Int> = []
        var count = 0
        for symbol in plate.canonical {
            if symbol == " " { begins.insert(count) } else { count += 1 }
        }
        // Where the plate has not the glyphs that were read one by one, no gap is surely within a group.
        let isMapped = count == characters.count
        return characters.indices.dropFirst().contains { index in
            let gap = (characters[index].left - characters[index - 1].right) / Double(RowCrop.glyphHeight)
            return gap > (isMapped && !begins.contains(index) ? Self.room.within : Self.room.between)
        }
    }
}
