/// Where nothing is read in a camera's picture: where it writes its clock, a sign, another road; or outside of the zones in which alone
/// it is read.
///
/// Written as rectangles of whole or decimal percent of the picture, so that it holds for every size the camera sends:
/// `"0,0,40,8; 70,92,30,8"` is left, top, width, height of two that are left out. One with a `+` before it is a zone to read in, as
/// `"+0,30,100,70"`; what is left out within it stays left out.
package struct PictureMask: Sendable, Equatable {
    private struct Part: Sendable, Equatable {
        var x: ClosedRange<Double>
        var y: ClosedRange<Double>
        var isZone: Bool

        func contains(_ x: Double, _ y: Double) -> Bool { self.x.contains(x) && self.y.contains(y) }
    }

    private static let maximumParts = 16
    private static let whole = 100.0
    private static let zoneSign: Character = "+"

    private var parts: [Part] = []

    /// Hides nothing.
    package init() {}

    /// - Returns: nil for a text that isn't rectangles within the picture, or leaves nothing of it.
    package init?(_ text: String) {
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let written = part.filter { !$0.isWhitespace }
            let isZone = written.first == Self.zoneSign
            let numbers = written.dropFirst(isZone ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.first == Self.zoneSign ? nil : Double($0) }
            guard numbers.count == 4,
                case let (x?, y?, width?, height?) = (numbers[0], numbers[1], numbers[2], numbers[3]),
                x >= 0, y >= 0, width > 0, height > 0, x + width <= Self.whole, y + height <= Self.whole
            else { return nil }
            parts.append(Part(x: x...(x + width), y: y...(y + height), isZone: isZone))
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
            let sides = [
                part.x.lowerBound, part.y.lowerBound, part.x.upperBound - part.x.lowerBound,
                part.y.upperBound - part.y.lowerBound,
            ]
            return (part.isZone ? String(Self.zoneSign) : "")
                + sides.map { FindingFigures.number($0, decimals: 2) }.joined(separator: ",")
        }.joined(separator: ";")
    }

    /// How much of a picture it hides, from 0 to 1; to one part in ten thousand.
    package var hiddenPart: Double {
        let steps = 100
        let middles = (0..<steps).map { (Double($0) + 0.5) * Self.whole / Double(steps) }
        let hidden = middles.reduce(0) { count, y in count + middles.count { x in hides(x, y) } }
        return Double(hidden) / Double(steps * steps)
    }

    /// Whether a place of a picture of this size lies with its middle where nothing is read.
    package func hides(_ box: Box, width: Int, height: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        return hides(box.centerX * Self.whole / Double(width), box.centerY * Self.whole / Double(height))
    }

    /// Of a point, in percent of the picture.
    private func hides(_ x: Double, _ y: Double) -> Bool {
        var hasZones = false
        var isInZone = false
        for part in parts {
            let isWithin = part.contains(x, y)
            if isWithin, !part.isZone { return true }
            hasZones = hasZones || part.isZone
            isInZone = isInZone || (part.isZone && isWithin)
        }
        return hasZones && !isInZone
    }
}
