/// Parts of a camera's picture in which nothing is read: where the camera writes its clock, a sign, another road.
///
/// Written as rectangles of whole or decimal percent of the picture, so that it holds for every size the camera sends:
/// `"0,0,40,8; 70,92,30,8"` is left, top, width, height of two.
package struct PictureMask: Sendable, Equatable {
    private struct Part: Sendable, Equatable {
        var x: ClosedRange<Double>
        var y: ClosedRange<Double>
    }

    private static let maximumParts = 16
    private static let whole = 100.0

    private var parts: [Part] = []

    /// Hides nothing.
    package init() {}

    /// - Returns: nil for a text that isn't rectangles within the picture, or leaves nothing of it.
    package init?(_ text: String) {
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let numbers = part.split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0.filter { !$0.isWhitespace }) }
            guard numbers.count == 4,
                case let (x?, y?, width?, height?) = (numbers[0], numbers[1], numbers[2], numbers[3]),
                x >= 0, y >= 0, width > 0, height > 0, x + width <= Self.whole, y + height <= Self.whole
            else { return nil }
            parts.append(Part(x: x...(x + width), y: y...(y + height)))
        }
        guard parts.count <= Self.maximumParts, hiddenPart < 1 else { return nil }
    }

    /// As it was drawn: an empty text hides nothing.
    package init?(drawn text: String) {
        if text.allSatisfy(\.isWhitespace) { self.init() } else { self.init(text) }
    }

    /// As it stands in the configuration.
    package var text: String {
        parts.map { part in
            [
                part.x.lowerBound, part.y.lowerBound, part.x.upperBound - part.x.lowerBound,
                part.y.upperBound - part.y.lowerBound,
            ]
            .map { FindingFigures.number($0, decimals: 2) }.joined(separator: ",")
        }.joined(separator: ";")
    }

    /// How much of a picture it hides, from 0 to 1; to one part in ten thousand.
    package var hiddenPart: Double {
        let steps = 100
        let middles = (0..<steps).map { (Double($0) + 0.5) * Self.whole / Double(steps) }
        let hidden = middles.reduce(0) { count, y in
            let across = parts.filter { $0.y.contains(y) }
            return count + middles.count { x in across.contains { $0.x.contains(x) } }
        }
        return Double(hidden) / Double(steps * steps)
    }

    /// Whether a place of a picture of this size lies in it with its middle.
    package func hides(_ box: Box, width: Int, height: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        let x = box.centerX * Self.whole / Double(width)
        let y = box.centerY * Self.whole / Double(height)
        return parts.contains { $0.x.contains(x) && $0.y.contains(y) }
    }
}
