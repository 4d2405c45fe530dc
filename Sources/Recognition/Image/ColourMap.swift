import Enforcement
import Plates
import Foundation

/// The colours that plates are painted in, at a reduced size.
package struct ColourMap: Sendable {
    /// The grounds of plates: private red, tourist green, corporation yellow, diplomatic blue, public black, government white.
    package enum Colour: UInt8, Sendable, CaseIterable {
        case red = 1
        case yellow, green, blue, white, black

        /// The ground that it is on a plate.
        package var ground: PlateColour {
            switch self {
            case .red: .red
            case .yellow: .yellow
            case .green: .green
            case .blue: .blue
            case .white: .white
            case .black: .black
            }
        }

        /// Whether the writing on a ground of this colour is darker than it.
        var hasDarkWriting: Bool { self == .white || self == .yellow }
    }

    package let width: Int
    package let height: Int

    /// `width * height` values: a `Colour`, or 0 for what is none of them.
    let values: [UInt8]

    /// How many stored pixels one value stands for, along one side.
    package let reduction: Int

    /// A plate of 50 px in a picture of 720 is still 20 values wide.
    private static let leastWidth = 280

    init(_ levels: ColourLevels) {
        let (image, reduction) = levels.smallest(atLeast: Self.leastWidth)
        width = image.width
        height = image.height
        self.reduction = reduction
        let rows = ColourRows(image)
        var values = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            rows.read(y)
            for x in 0..<width {
                let colour = Self.colour(red: Int(rows.red[x]), green: Int(rows.green[x]), blue: Int(rows.blue[x]))
                values[y * width + x] = colour?.rawValue ?? 0
            }
        }
        self.values = values
    }

    /// The ground of a plate: the colour that most of its box has.
    ///
    /// - Parameter box: in pixels of the stored picture.
    /// - Returns: nil when no colour has a third of the box and half as much again as the next one.
    func ground(in box: Box) -> PlateColour? {
        let counts = counts(in: box)
        let total = counts.reduce(0, +)
        let ranked = Colour.allCases.sorted { counts[Int($0.rawValue)] > counts[Int($1.rawValue)] }
        let most = counts[Int(ranked[0].rawValue)]
        guard total >= Self.leastValues, 3 * most > total, 2 * most > 3 * counts[Int(ranked[1].rawValue)] else {
            return nil
        }
        return ranked[0].ground
    }

    /// Whether a place is painted in a colour on which the writing is white: a thick border and broad strokes leave little of it.
    ///
    /// - Parameter box: in pixels of the stored picture.
    func isPainted(_ box: Box) -> Bool {
        let counts = counts(in: box)
        let total = counts.reduce(0, +)
        let most = [Colour.red, .green, .blue].map { counts[Int($0.rawValue)] }.max() ?? 0
        return total >= Self.leastValues && Self.leastPaint * Double(total) < Double(most)
    }

    /// The part of the place that has the colour: dirt and shade stain every place with some.
    private static let leastPaint = 0.2

    /// How many values of the box have each colour, by its number.
    private func counts(in box: Box) -> [Int] {
        let left = max(0, box.x / reduction)
        let right = min(width, box.right / reduction)
        var counts = [Int](repeating: 0, count: Colour.allCases.count + 1)
        guard left < right else { return counts }
        for y in max(0, box.y / reduction)..<max(0, box.y / reduction, min(height, box.bottom / reduction)) {
            for x in left..<right { counts[Int(values[y * width + x])] += 1 }
        }
        return counts
    }

    /// Fewer values than this are the writing as much as the ground.
    private static let leastValues = 40

    /// The colour that a painter would call it; nil for grays and pale or muddy tones.
    static func colour(red: Int, green: Int, blue: Int) -> Colour? {
        let highest = max(red, green, blue)
        let lowest = min(red, green, blue)
        // Gray levels: the darkest quarter is black; white is brighter than most grounds in shade, and hardly tinted by the light.
        if highest < 70 { return .black }
        if lowest > 140, highest - lowest < 45 { return .white }
        let depth = highest - lowest
        // Red fades to pink in the sun: a quarter of the way from gray to the pure colour, green and blue alike, or some more blue.
        if red == highest, 4 * depth > highest, 5 * (green - blue) < 2 * depth, 5 * (blue - green) < 3 * depth {
            return .red
        }
        // The others: at least two fifths of the way.
        guard 5 * depth > 2 * highest else { return nil }
        // Some red paints fade to orange, with up to six tenths as much green; yellow has more, and half as much blue at most. Yellow in
        // shade turns greenish: up to eight tenths as much red is still green.
        if red == highest { return 10 * green <= 6 * red ? .red : blue * 2 < red ? .yellow : nil }
        if green == highest { return 10 * red > 8 * green ? .yellow : .green }
        return .blue
    }
}
