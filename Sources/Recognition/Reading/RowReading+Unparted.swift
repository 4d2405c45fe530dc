extension RowReading {
    /// Takes every symbol for a character: in small writing glyphs touch, so that none is told apart, and hyphens join digits.
    init(unparted symbols: [TesseractEngine.Symbol], of line: LineImage) {
        characters = symbols.map {
            Character(
                alternatives: $0.alternatives, left: $0.left + Double(line.offset),
                right: $0.right + Double(line.offset))
        }
        glyphs = characters.count
    }
}
