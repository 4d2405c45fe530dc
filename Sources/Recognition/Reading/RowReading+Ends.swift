extension RowReading {
    /// A glyph that is narrower than this part of its height may be a piece of the border.
    private static let bar = 0.35

    /// Whether the first or the last glyph that the finder saw on the plate was not read: the row lost an end, and a shorter number fits a
    /// format as well.
    ///
    /// - Parameter shown: the glyphs that stand on the plate, as far as its place is known.
    func missesEnd(of crop: RowCrop, shown: Range<Int>) -> Bool {
        let seen = crop.columns[shown.clamped(to: crop.columns.indices)]
        return [seen.first, seen.last].compactMap { $0 }.contains { end in
            Double(end.count) >= Self.bar * Double(RowCrop.glyphHeight)
                && !characters.contains { $0.right > Double(end.lowerBound) && $0.left < Double(end.upperBound) }
        }
    }
}
