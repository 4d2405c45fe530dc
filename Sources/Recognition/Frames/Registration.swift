import Enforcement
import Foundation

/// Where the points of one picture of a plate lie in another one: an affine map, found by Gauss and Newton's method on what both pictures
/// show (Lucas and Kanade 1981), whatever their light.
struct Registration: Sendable, Equatable {
    /// Where the middle of the first plate lies in the second picture.
    private(set) var middle: Point

    /// What a pixel to the right, and one down, in the first picture is in the second one.
    private(set) var right: Point
    private(set) var down: Point

    /// The middle of the first plate in the first picture.
    private let origin: Point

    /// How alike the two plates are under it: the correlation of their values, -1…1.
    private(set) var likeness = -1.0

    /// The same of the part of the plate that is least alike: another glyph is a small part of the whole.
    private(set) var leastLikeness = -1.0

    /// In pixels: first what is far off is found on blurred pictures, then the fractions of a pixel on the pictures themselves.
    private static let blurs = [2.0, 0.6]

    /// A plate is compared in so many parts side by side, each about a glyph or two wide.
    private static let parts = 6

    private static let mostSteps = 25

    /// A step that moves the plate's edge by less than this many pixels is the last one.
    private static let smallStep = 0.005

    /// A picture with less contrast than this shows nothing to go by.
    private static let leastContrast = 2.0

    /// The pictures that one is compared in, from the most blurred to the sharpest.
    static func levels(of image: FloatImage) -> [FloatImage] { blurs.map(image.blurred) }

    /// - Parameters:
    ///   - first: a picture's `levels`, and its plate's box in it.
    ///   - second: another picture's, and about the same plate's box in it.
    /// - Returns: nil where the pictures show nothing to go by, or no map that stays near to the boxes.
    init?(of first: (levels: [FloatImage], plate: Box), in second: (levels: [FloatImage], plate: Box)) {
        origin = Point(first.plate.centerX - 0.5, first.plate.centerY - 0.5)
        middle = Point(second.plate.centerX - 0.5, second.plate.centerY - 0.5)
        let scale = Double(second.plate.width) / Double(max(1, first.plate.width))
        right = Point(scale, 0)
        down = Point(0, scale)
        let start = self
        let plate = first.plate
        for (first, second) in zip(first.levels, second.levels) {
            guard refine(first, second, plate, from: start) else { return nil }
        }
        guard let sharpest = first.levels.last, let other = second.levels.last else { return nil }
        compare(sharpest, other, plate)
    }

    /// Where a point of the first picture lies in the second.
    func callAsFunction(_ point: Point) -> Point {
        let from = point - origin
        return middle + right * from.x + down * from.y
    }

    private mutating func refine(_ first: FloatImage, _ second: FloatImage, _ plate: Box, from start: Registration)
        -> Bool
    {
        let points = (plate.y..<plate.bottom).flatMap { y in
            (plate.x..<plate.right).map { Point(Double($0), Double(y)) }
        }
        guard let wanted = Self.even(points.map { Double(first.value($0)) }) else { return false }
        let reach = Double(max(plate.width, plate.height)) / 2
        for _ in 0..<Self.mostSteps {
            let places = points.map { self($0) }
            guard let seen = Self.even(places.map { Double(second.value($0)) }) else { return false }
            // Of each of six slopes: its products with all of them, and with what is missing.
            var normal = [SIMD8<Double>](repeating: .zero, count: 6)
            for (index, place) in places.enumerated() {
                let from = (points[index] - origin) * (1 / reach)
                let slopeX = Double(second.value(place + Point(0.5, 0)) - second.value(place - Point(0.5, 0)))
                let slopeY = Double(second.value(place + Point(0, 0.5)) - second.value(place - Point(0, 0.5)))
                let x = slopeX / seen.contrast
                let y = slopeY / seen.contrast
                let missing = wanted.values[index] - seen.values[index]
                let slopes = SIMD8(x, x * from.x, x * from.y, y, y * from.x, y * from.y, missing, 0)
                for row in 0..<6 { normal[row] += slopes[row] * slopes }
            }
            guard let step = Self.solved(normal) else { return false }
            middle = middle + Point(step[0], step[3])
            right = right + Point(step[1], step[4]) * (1 / reach)
            down = down + Point(step[2], step[5]) * (1 / reach)
            guard isNear(start, plate) else { return false }
            if step.allSatisfy({ abs($0) < Self.smallStep }) { break }
        }
        return true
    }

    /// Whether the plate is about where and what it was taken for.
    private func isNear(_ start: Registration, _ plate: Box) -> Bool {
        let scale = start.right.x
        let limits = 0.7...1.4
        return (middle - start.middle).length < 0.5 * scale * Double(plate.width)
            && limits.contains(right.length / scale)
            && limits.contains(down.length / scale) && abs(right.y) < 0.3 * scale && abs(down.x) < 0.5 * scale
    }

    private mutating func compare(_ first: FloatImage, _ second: FloatImage, _ plate: Box) {
        func likeness(_ columns: Range<Int>) -> Double? {
            let points = (plate.y..<plate.bottom).flatMap { y in columns.map { Point(Double($0), Double(y)) } }
            guard let wanted = Self.even(points.map { Double(first.value($0)) }),
                let seen = Self.even(points.map { Double(second.value(self($0))) })
            else { return nil }
            return zip(wanted.values, seen.values).reduce(0) { $0 + $1.0 * $1.1 } / Double(points.count)
        }
        self.likeness = likeness(plate.x..<plate.right) ?? -1
        leastLikeness =
            (0..<Self.parts).compactMap { part in
                likeness(plate.x + plate.width * part / Self.parts..<plate.x + plate.width * (part + 1) / Self.parts)
            }.min() ?? -1
    }

    /// The values with their mean at zero and their contrast one.
    private static func even(_ values: [Double]) -> (values: [Double], contrast: Double)? {
        guard !values.isEmpty else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let contrast = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        guard contrast >= leastContrast else { return nil }
        return (values.map { ($0 - mean) / contrast }, contrast)
    }

    /// Solves a symmetric system, whose right side stands behind its columns, by Cholesky's decomposition; nil where it has no one answer.
    private static func solved(_ system: [SIMD8<Double>]) -> [Double]? {
        let count = system.count
        var lower = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        var answer = system.map { $0[count] }
        for row in 0..<count {
            for column in 0...row {
                let rest = (0..<column).reduce(system[row][column]) { $0 - lower[row][$1] * lower[column][$1] }
                if row == column {
                    guard rest > 1e-9 else { return nil }
                    lower[row][row] = rest.squareRoot()
                } else {
                    lower[row][column] = rest / lower[column][column]
                }
            }
            answer[row] = (0..<row).reduce(answer[row]) { $0 - lower[row][$1] * answer[$1] } / lower[row][row]
        }
        for row in (0..<count).reversed() {
            answer[row] = (row + 1..<count).reduce(answer[row]) { $0 - lower[$1][row] * answer[$1] } / lower[row][row]
        }
        return answer
    }
}
