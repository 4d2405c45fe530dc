/// An upright rectangle in a picture, in pixels, origin at the top left.
package struct Box: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Int { x + width }
    package var bottom: Int { y + height }
    package var area: Int { width * height }
    package var centerX: Double { Double(x) + Double(width) / 2 }
    package var centerY: Double { Double(y) + Double(height) / 2 }

    /// The part that both cover; zero in size when they don't touch.
    package func intersection(_ other: Box) -> Box {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Box(
            x: left, y: top, width: max(0, min(right, other.right) - left),
            height: max(0, min(bottom, other.bottom) - top))
    }

    /// The smallest box that covers both.
    package func union(_ other: Box) -> Box {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return Box(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// Intersection over union, 0…1: 1 for equal boxes, 0 for boxes apart.
    package func overlap(_ other: Box) -> Double {
        let common = intersection(other).area
        let total = area + other.area - common
        return total > 0 ? Double(common) / Double(total) : 0
    }

    /// This box grown by the margins on all sides and cut to a picture of the given size.
    package func grown(byX marginX: Int, byY marginY: Int, within width: Int, _ height: Int) -> Box {
        Box(x: x - marginX, y: y - marginY, width: self.width + 2 * marginX, height: self.height + 2 * marginY)
            .intersection(Box(x: 0, y: 0, width: width, height: height))
    }
}

extension Box: Codable {
    /// - Throws: `DecodingError` for a box of negative size, or further out than any picture reaches.
    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(
            x: try container.decode(Int.self), y: try container.decode(Int.self),
            width: try container.decode(Int.self), height: try container.decode(Int.self))
        let farthest = 1_000_000
        guard (-farthest...farthest).contains(x), (-farthest...farthest).contains(y),
            (0...farthest).contains(width), (0...farthest).contains(height)
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "No box of a picture: \(self)") }
    }

    /// Written as `[x, y, w, h]`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in [x, y, width, height] { try container.encode(value) }
    }
}
