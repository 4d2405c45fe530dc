/// How things of one kind stand: beside each other where there is room, one below the other on a roll.
struct Beside {
    let width: Double
    private let between: Double
    private let perRow: Int

    /// - Parameter between: the room between two of them, in points.
    init(_ count: Int, on format: PaperFormat, between: Double) {
        self.between = between
        perRow = format.isNarrow ? 1 : max(1, count)
        width = (format.lineWidth - between * Double(perRow - 1)) / Double(perRow)
    }

    func rows<One>(_ list: [One]) -> [ArraySlice<One>] {
        stride(from: 0, to: list.count, by: perRow).map { list[$0..<min(list.count, $0 + perRow)] }
    }

    /// How far from the left edge one stands.
    func x(_ index: Int) -> Double { Double(index) * (width + between) }
}
