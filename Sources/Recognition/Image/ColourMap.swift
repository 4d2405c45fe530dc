import Foundation

/// The colours that plates are painted in, at a reduced size.
package struct ColourMap: Sendable {
    /// The grounds of plates: private red, tourist green, corporation yellow, diplomatic blue, public black, government white.
    package enum Colour: UInt8, Sendable, CaseIterable {
        case red = 1
        case yellow, green, blue, white, black

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

    /// Decodes a JPEG's colours at a fraction of its size. Nil for other pictures, and for what can't be decoded: the colours
    /// are a second look, which a picture can do without.
    package init?(_ data: Data) {
        let decoded = JPEGColours(data, maximumPixels: 4_000_000) { width, _ in
            [8, 4, 2].first { width / $0 >= Self.leastWidth } ?? 1
        }
        guard let decoded else { return nil }
        width = decoded.width
        height = decoded.height
        reduction = decoded.reduction
        var values = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            let row = decoded.row(y)
            for x in 0..<width {
                let word = row[x]
                let colour = Self.colour(
                    red: Int(word >> 24), green: Int(word >> 16 & 255), blue: Int(word >> 8 & 255))
                values[y * width + x] = colour?.rawValue ?? 0
            }
        }
        self.values = values
    }

    /// The colour that a painter would call it; nil for grays and pale or muddy tones.
    static func colour(red: Int, green: Int, blue: Int) -> Colour? {
        let highest = max(red, green, blue)
        let lowest = min(red, green, blue)
        if highest < 70 { return .black }
        if lowest > 140, highest - lowest < 45 { return .white }
        let depth = highest - lowest
        // Red fades to pink in the sun: a quarter of the way from gray to the pure colour, green and blue alike.
        if red == highest, 4 * depth > highest, 5 * abs(green - blue) < 2 * depth { return .red }
        // The others: at least two fifths of the way.
        guard 5 * depth > 2 * highest else { return nil }
        if red == highest { return 10 * green > 6 * red && blue * 2 < red ? .yellow : nil }
        if green == highest { return 10 * red > 8 * green ? .yellow : .green }
        return .blue
    }
}
